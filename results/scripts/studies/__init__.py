"""The kinds of studies: each module computes tables from the rows of the runs."""
