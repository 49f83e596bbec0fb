"""OpenAdapt Flow and memctl on the demo app of the former, under its own drifts."""
