// Gives the precompiled header its own target.
