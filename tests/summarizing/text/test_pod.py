"""POD, Perl's documentation: titles, examples, and commands that show nothing."""

from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse
from tests.summarizing.text.test_parsing import check_laws, tree

PAGE = """\
=encoding utf8

=head1 PUMPS

A pump moves water. From that comes:

    use Pump;

    my $pump = Pump->new;

and so on.

=over 4

=item * Rotary

It turns.

=back

=head2 How is one made?

Of cast iron.

=head1 VALVES

A valve stops it.

=cut
"""


def test_titles_are_commands_and_hang_on_one_another_by_their_numbers() -> None:
    above = tree(check_laws(PAGE))
    assert above["A pump moves water."] == "=head1 PUMPS"
    assert above["=head2 How is one made?"] == "=head1 PUMPS"
    assert above["Of cast iron."] == "=head2 How is one made?"
    assert above["A valve stops it."] == "=head1 VALVES"


def test_an_example_is_one_segment_though_blank_lines_part_it() -> None:
    document = parse(PAGE)
    code = [document.of(at) for at, one in enumerate(document.segments) if one.kind is SegmentKind.CODE]
    assert code == ["use Pump;\n\n    my $pump = Pump->new;"]


def test_a_further_line_that_is_indented_begins_no_example() -> None:
    document = parse("=head1 PUMPS\n\nA pump moves\n    water from a well\nto a tower.\n\nIt turns.\n")
    assert SegmentKind.CODE not in {segment.kind for segment in document.segments}


def test_what_only_tells_the_formatter_something_is_a_frame_that_nothing_hangs_on() -> None:
    document = parse(PAGE)
    frames = {at for at, one in enumerate(document.segments) if one.kind is SegmentKind.FRAME}
    assert [document.of(at) for at in sorted(frames)] == ["=encoding utf8", "=over 4", "=back", "=cut"]
    assert not any(one.parent in frames for one in document.segments)


def test_a_program_with_documentation_in_it_is_code() -> None:
    program = "package Pump;\n\nuse strict;\n\n=head1 NAME\n\nPump\n\n=cut\n\nsub new {\n    my $self = {};\n    return $self;\n}\n\n1;\n"
    assert {segment.kind for segment in parse(program).segments} == {SegmentKind.CODE}
