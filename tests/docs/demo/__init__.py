"""The bundled screenshots and the skill of the demo, made anew."""
