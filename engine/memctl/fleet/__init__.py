"""Many stores at once: of a home, of many machines, of a bucket.

    import memctl

    done = memctl.fleet.run("dream", ["~/memory"], jobs=4)
    print([store.name for store in done.failed])

Nothing here is needed below about a thousand stores: `memctl.report` reads those of a home as they
are. The extra ``fleet`` brings Dask for many machines and obstore for buckets; without it a process
pool of this machine does the work.
"""

from memctl.fleet.fleet_merge import FleetConflict, FleetMerge, merge
from memctl.fleet.fleet_recall import FleetRecalled, FleetRow, recall
from memctl.fleet.fleet_report import report
from memctl.fleet.fleet_run import Outcome, Run, run
from memctl.fleet.fleet_stores import stores
from memctl.fleet.in_bucket.push_pull import OldVersion, Pushed, pull, push
from memctl.fleet.store_queue import FleetStore

__all__ = [
    "FleetConflict",
    "FleetMerge",
    "FleetRecalled",
    "FleetRow",
    "FleetStore",
    "OldVersion",
    "Outcome",
    "Pushed",
    "Run",
    "merge",
    "pull",
    "push",
    "recall",
    "report",
    "run",
    "stores",
]
