"""Whether memctl tells a component from its siblings, and a row's button from the next row's."""
