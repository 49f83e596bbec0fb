"""What memctl promises about its stores, tried where it may break: damage, power cuts, kills, hostile input."""
