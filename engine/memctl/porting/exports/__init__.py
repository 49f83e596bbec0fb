"""What a store holds, written into files: layouts, one file each, and which rows go into them."""
