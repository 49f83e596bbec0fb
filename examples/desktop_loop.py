"""A desktop app by pyautogui, with memctl as its eyes: screenshot, locate, click, prove.

Run it: pip install "memctl-engine[screen]" pyautogui, then python desktop_loop.py on a desktop, or under a
virtual one: xvfb-run -s "-screen 0 800x600x24" python desktop_loop.py. The picture that
pyautogui.screenshot() returns is taken as well; on Linux that needs a program more.
"""

import subprocess
import sys
import time

import pyautogui

import memctl

APP = """
import tkinter as tk
window = tk.Tk()
window.geometry("320x200+{x}+{y}")
note = tk.Label(window, text="Not saved yet", font=("DejaVu Sans", 14))
save = tk.Button(window, text="Save", font=("DejaVu Sans", 14))
save.configure(command=lambda: note.configure(text="All is saved", fg="dark green"))
undo = tk.Button(window, text="Undo", font=("DejaVu Sans", 14))
for part in (note, save, undo):
    part.pack(pady=8)
window.update()
print(*(f"{{p.winfo_rootx()}},{{p.winfo_rooty()}},{{p.winfo_width()}},{{p.winfo_height()}}"
        for p in (save, undo)), flush=True)
window.mainloop()
"""


def start(x: int, y: int) -> tuple[subprocess.Popen[str], list[tuple[int, int, int, int, str]]]:
    """Start the app at a place; return it, and the boxes of its buttons, as a toolkit knows them."""
    app = subprocess.Popen(
        [sys.executable, "-c", APP.format(x=x, y=y)], stdout=subprocess.PIPE, text=True
    )
    assert app.stdout is not None
    boxes = []
    for label, place in zip(("Save", "Undo"), app.stdout.readline().split(), strict=True):
        left, top, width, height = map(int, place.split(","))
        boxes.append((left, top, width, height, label))
    time.sleep(0.5)  # it is drawn
    return app, boxes


def click(memory: memctl.Memory, name: str) -> list[str]:
    """Click a component where it is now; return what that has changed on the screen."""
    before = memory.look("screen")
    assert before is not None
    place = memory.locate(name, before)
    if place.center is None:
        raise SystemExit(f"{name} is not clicked: {place.how}")
    x, y = place.center
    pyautogui.click(x, y)
    time.sleep(0.5)
    compared = memory.diff(before, "screen")
    return [f"{change.kind} at {change.box}" for change in compared.changes]


def main() -> None:
    """Learn the app once, then find its button where it stands the next time."""
    with memctl.open("notes-app") as memory:
        app, boxes = start(40, 60)
        memory.learn("screen", boxes, page="notes")
        app.kill()
        app, _ = start(300, 250)
        try:
            changed = click(memory, "Save")
            print("proved:" if changed else "nothing happened", *changed, sep="\n")
        finally:
            app.kill()


if __name__ == "__main__":
    main()
