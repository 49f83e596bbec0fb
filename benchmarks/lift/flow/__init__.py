"""Skills and OpenAdapt Flow on Flow's own demo app, under its own drifts."""
