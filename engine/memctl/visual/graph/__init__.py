"""What an app is made of and where it leads: components, states, transitions. No image library."""
