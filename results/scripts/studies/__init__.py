"""The kinds of studies: what each computes from the rows of its runs."""
