"""Line breaks in templates: nothing beside a tag, elsewhere one blank."""

import pytest
from django.template import Engine, engines

from league.lib.template_loader import join_lines


@pytest.mark.parametrize(
    "written, read",
    [
        ("<ul>\n  <li>\n    one\n  </li>\n</ul>\n", "<ul><li>one</li></ul>"),
        ("<p>\n  one,\n  two <b>three</b>.\n</p>", "<p>one, two <b>three</b>.</p>"),
        ("{% if a %}\n  <b>{{ a }}</b>\n{% endif %}\n", "{% if a %}<b>{{ a }}</b>{% endif %}"),
        ("{{ a }}\n{{ b }}", "{{ a }} {{ b }}"),
        ("{# One. #}\n\n{# Two. #}\nthree", "{# One. #}{# Two. #}three"),
        ("<b>one</b> <b>two</b>", "<b>one</b> <b>two</b>"),
        ("one  two", "one  two"),
        (
            '<a\n  class="b"\n  {% if a > b %}href="c"{% endif %}\n>\n  d\n</a>',
            '<a class="b" {% if a > b %}href="c"{% endif %}>d</a>',
        ),
        ("<input\n  a\n  {% if b %} c{% endif %}\n  d\n>", "<input a{% if b %} c{% endif %} d>"),
        ('<input\n  name="a"\n/>', '<input name="a"/>'),
        (
            '<a title="one\n  two\n  {% if a %}\n    three\n  {% endif %}">',
            '<a title="one two{% if a %}three{% endif %}">',
        ),
        ('<a title="{% if a == "b" %}>{% endif %}"\n>\nc', '<a title="{% if a == "b" %}>{% endif %}">c'),
    ],
)
def test_a_line_break_beside_a_tag_is_nothing_and_elsewhere_a_blank(written, read):
    assert join_lines(written) == read
    assert join_lines(read) == read


@pytest.mark.parametrize(
    "kept",
    [
        "<pre>\n one\n  two\n</pre>",
        "<textarea>\n{{ text }}\n</textarea>",
        "<script>\n  a();\n</script>",
        "{% verbatim %}\n  <b>\n{% endverbatim %}",
        "{% blocktranslate %}\n one\n{% endblocktranslate %}",
        "{% blocktranslate trimmed %}\n  one\n  two\n{% endblocktranslate %}",
    ],
)
def test_what_has_lines_of_its_own_keeps_them(kept):
    assert join_lines(f"<p>\n  {kept}\n</p>") == f"<p>{kept}</p>"


def test_only_templates_of_pages_are_read_so(tmp_path):
    for name in ("page.html", "mail.txt"):
        (tmp_path / name).write_text("{% if True %}\nyes\n{% endif %}\n", encoding="utf-8")
    engine = Engine(dirs=[str(tmp_path)], loaders=["league.lib.template_loader.Loader"])
    assert engine.render_to_string("page.html") == "yes"
    assert engine.render_to_string("mail.txt") == "\nyes\n\n"


def test_templates_are_read_once():
    loader = engines["django"].engine.template_loaders[0]
    assert type(loader).__module__ == "django.template.loaders.cached"
