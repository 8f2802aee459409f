"""The steps of a job: chunks and merges where a model writes, slices where none does; their number only grows."""

from summarizing.progress import Steps


def test_slices_that_are_read_without_a_model_are_its_steps() -> None:
    reported: list[tuple[int, int, str]] = []
    steps = Steps(lambda *step: reported.append(step))
    for read in (1, 2):
        steps.report_slices(read, 2)
    assert reported == [(1, 2, "1 of 2 chunks"), (2, 2, "2 of 2 chunks")]


def test_after_chunks_of_a_model_that_failed_slices_are_not_reported() -> None:
    reported: list[tuple[int, int, str]] = []
    steps = Steps(lambda *step: reported.append(step))
    steps.expect(3)
    steps.finish("chunks")
    steps.report_slices(1, 1)
    assert reported == [(1, 3, "1 of 3 chunks")]
