"""The care of a store as a whole, as `Memory` offers it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from memctl.base.arguments import checked_class, hands_on
from memctl.base.errors import UsageError
from memctl.face.open_store import OpenStore

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from memctl.base.clock import When
    from memctl.porting.exports.exporter import Exported
    from memctl.porting.importer import Imported
    from memctl.porting.packs.packs import Packs
    from memctl.reports.answers import Report
    from memctl.upkeep.doctor import CheckResult
    from memctl.upkeep.eraser import Erasure
    from memctl.upkeep.status import Status
    from memctl.upkeep.store_copies import StoreCopy
    from memctl.upkeep.vacuum import Vacuumed


@checked_class
class UpkeepFace(OpenStore):
    """A store is reported on, imported into, exported, backed up, examined and erased from."""

    @cached_property
    def packs(self) -> Packs:
        """Packs of what is known of the app, and other stores of it: given, taken, merged."""
        from memctl.porting.packs.packs import Packs

        return Packs(self.store, self.settings)

    @hands_on
    def import_from(
        self,
        path: str | os.PathLike[str],
        source: str | None = None,
        *,
        dry_run: bool = False,
        options: Mapping[str, Any] | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> Imported:
        """Take what another system holds, or an export of memctl; return what was taken and refused.

        Parameters
        ----------
        path
            The file or folder.
        source
            Its format; found out where nothing is said.
        dry_run
            Count what would be taken; write nothing.
        options
            What a format asks for: ``table`` of a database, ``columns`` of a table; ``prune``
            forgets what was taken out of memctl's own Markdown since its export.
        progress
            Called with the number of records that were met, after each batch.

        Raises
        ------
        FileAccessError, UsageError
            When it cannot be read, or its format is not known.
        UnusableInputError
            When it is broken, or holds no record of its format; nothing is written.
        """
        from memctl.porting.importer import Importer

        importer = Importer(self.store, self.settings, self._scope)
        return importer.take(path, source, dry_run=dry_run, options=options, progress=progress)

    def export_to(
        self,
        path: str | os.PathLike[str],
        layout: str = "markdown",
        *,
        tiers: Sequence[str] = (),
        since: When | None = None,
        until: When | None = None,
        tags: Sequence[str] = (),
        states: Sequence[str] = (),
        profile: str | None = None,
        force: bool = False,
        progress: Callable[[int], object] | None = None,
    ) -> Exported:
        """Write what this store holds into files, as `memctl.porting.exports.exporter` describes.

        Parameters
        ----------
        path
            The folder; of ``jsonl``, the file.
        layout
            ``markdown``, ``jsonl``, ``parquet``, ``openclaw``, ``memoryclaw`` or, of screens,
            ``gui-memory``.
        tiers
            Of ``turns``, ``episodes``, ``facts``, ``aliases``, ``knowledge``, ``skills``; else all.
        since, until
            What was said, happened or began to hold from `since`, up to and without `until`.
        tags
            Tags of episodes; categories and tags of facts. What bears none is left out.
        states
            Of ``active``, ``pending``, ``superseded``, ``forgotten``; else all.
        profile
            A named selection of the setting ``export_profiles``, instead of all these.
        force
            Write over what is no earlier export, or was edited since.
        progress
            Called with the number of rows that were read, now and then.

        Raises
        ------
        UsageError
            When a word or a time is not allowed, or a profile is named beside a selection.
        NotFoundError
            When nothing was written yet.
        RefusedError, FileAccessError
            When something is in the way, or it cannot be written.
        """
        from memctl.porting.exports.export_selection import ExportSelection
        from memctl.porting.exports.exporter import Exporter

        chosen = ExportSelection.of(tiers, since, until, tags, states, zone=self.store.zone)
        if profile is not None:
            if chosen.told:
                raise UsageError("a profile is a selection", hint="leave out the other options")
            chosen = ExportSelection.profile(
                profile, str(self.settings["export_profiles"]), self.store.zone
            )
        exporter = Exporter(self.store, self.settings, self._scope)
        return exporter.write(path, layout, chosen, force=force, progress=progress)

    def report(self, name: str, *, since: When | None = None, until: When | None = None) -> Report:
        """Answer questions about this store.

        Parameters
        ----------
        name
            ``health``, ``decay``, ``recall``, ``matching``, ``growth`` or ``lift``.
        since, until
            What happened from `since`, up to and without `until`: ISO-8601 text, a `datetime`,
            a `date` or a `timedelta` from now.

        Returns
        -------
        Report
            ``answers``, tables with their columns, and ``findings`` with the command that mends
            each.

        Raises
        ------
        UsageError
            When there is no such report, or the times are not allowed or backwards.
        NotFoundError
            When nothing was written yet.
        """
        from memctl.reports.report import make_report
        from memctl.reports.sources import source_of

        self.store.refuse_closed()  # a report opens the file by itself
        source = source_of(self.store)
        return make_report(name, source, since=since, until=until, settings=self._flags)

    def status(self) -> Status:
        """Return the store's file, its size in bytes, its age and its rows by table.

        Raises
        ------
        NotFoundError
            When nothing was written yet.
        """
        from memctl.upkeep.status import status_of

        return status_of(self.store, self.settings)

    def erase(
        self,
        *ids: str,
        query: str | None = None,
        component: str | None = None,
        state: str | None = None,
        participant: str | None = None,
        before: When | None = None,
        why: str = "asked for",
        confirm: bool = False,
        dry_run: bool = False,
        finish: bool = False,
    ) -> Erasure:
        """Erase rows, what is linked with them, and every byte of both; and prove it.

        Recalls that returned a row lose their question. Rows that quote one are listed.

        Parameters
        ----------
        ids
            As recall and the lists print them: ``"turn:12"``, ``"episode:3"``, ``"f_..."``,
            ``"s_..."``, ``"recall:7"``, ``"journal:3"``, ``"snapshot:1"``, ``"call:5"``,
            ``"k_..."``, or as a receipt lists them; else the name of a component.
        query
            Turns, episodes and facts that hold every word of it, archived ones too.
        component, state
            A thing on a screen, or a whole screen with what stands on no other, by name or id.
        participant
            All turns that somebody said, the episodes with him, and the facts about or of him.
        before
            Turns, episodes, facts, recalls, journal and tool calls from before a time; with
            `participant` only his.
        why
            Kept beside the ids of turns and episodes; never a word of them.
        confirm
            Say so: it cannot be undone.
        dry_run
            Return what would go, and leave it.
        finish
            Write the files anew where an earlier erasure could not; nothing else is erased.

        Raises
        ------
        ConfirmationRequiredError
            Without `confirm`, `dry_run` or `finish`.
        NotFoundError
            When one of them is not there; nothing is erased.
        UsageError
            When nothing says what to erase, or several things do.
        """
        from memctl.upkeep.eraser import Eraser

        eraser = Eraser(self.store, self.settings, self._scope)
        if finish:
            return eraser.finish()
        return eraser.erase(
            ids,
            query=query,
            component=component,
            state=state,
            participant=participant,
            before=before,
            why=why,
            confirm=confirm,
            dry_run=dry_run,
        )

    def doctor(self, *, fix: bool = False) -> list[CheckResult]:
        """Examine the store: its pages, references, texts, pictures, word index and permissions.

        Parameters
        ----------
        fix
            Mend what can be mended, and examine it then. Before anything broken is taken away,
            the store is backed up.

        Raises
        ------
        NotFoundError
            When nothing was written yet.
        """
        from memctl.upkeep.doctor import examine, mend

        return (mend if fix else examine)(self.store, self.settings)

    def backup(
        self, path: str | os.PathLike[str] | None = None, *, force: bool = False
    ) -> StoreCopy:
        """Copy the store, while others write, into one file that is checked before it is named.

        Parameters
        ----------
        path
            The file; by default ``backups/ADDRESS/TIME.db`` in the home.
        force
            Replace a file that is there.

        Raises
        ------
        NotFoundError
            When nothing was written yet.
        RefusedError
            When the file is the store itself, or there already.
        StoreDamagedError
            When the store is damaged; nothing is kept.
        DiskFullError, FileAccessError
            When the file cannot be written; nothing is left of it.
        """
        from memctl.upkeep.backup import back_up

        return back_up(self.store, path, force=force)

    def vacuum(self) -> Vacuumed:
        """Write the store anew without empty pages, and say its bytes before and after.

        Raises
        ------
        NotFoundError
            When nothing was written yet.
        BusyError
            When another process is at it.
        """
        from memctl.upkeep.vacuum import vacuum

        return vacuum(self.store)
