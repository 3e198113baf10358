"""The papers' tables: as printed, by the published code, with the papers' settings, by default."""
