"""A real app in two versions: learned in the older one, met again in the newer one."""
