import { describe, expect, it } from 'vitest'
import { cleanRichText } from './rich-text.ts'

describe('stored rich text', () => {
  it('keeps headings, lists, tables and links, as an editor writes them', () => {
    const text =
      '<h3>招聘公告</h3><p>第一段<strong>粗</strong></p><ul><li>一</li></ul><table><tbody><tr><td colspan="2">格</td></tr></tbody></table><p><a href="/problem/problem">常见问题</a></p>'
    expect(cleanRichText(text)).toBe(text)
    expect(cleanRichText('<a href="https://example.org/a?b=1&amp;c=2">x</a>')).toBe(
      '<a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer" target="_blank">x</a>',
    )
    expect(cleanRichText('报名费 < 100 元，第一行\n第二行')).toBe('报名费 &lt; 100 元，第一行\n第二行')
  })
  it('keeps where lines stand, as marks of its own and no other style', () => {
    expect(
      cleanRichText(
        '<p align=center style="position:fixed;text-align:center">题</p><p style="text-align: right; text-indent:24.0pt">局</p><p style="text-indent:-18pt;text-align:evil">甲</p><p data-align="x" data-indent="9">乙</p><span style="text-align:center">丙</span>',
      ),
    ).toBe('<p data-align="center">题</p><p data-align="right" data-indent="2">局</p><p>甲</p><p>乙</p><span>丙</span>')
  })
  it('makes lists of a word processor’s lists, and drops its conditional comments also from texts stored with them', () => {
    const item = (marker: string, text: string) =>
      `<p class=MsoListParagraph style='text-indent:-18pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${marker}<span>&nbsp; </span></span><![endif]>${text}</p>`
    expect(cleanRichText(`${item('1.', '甲')}\n${item('2.', '<b>乙</b>')}<p>间</p>${item('·', '丙')}`)).toBe(
      '<ol><li>甲</li><li><b>乙</b></li></ol><p>间</p><ul><li>丙</li></ul>',
    )
    expect(cleanRichText(`${item('（一）', '甲')}${item('（二）', '乙')}`)).toBe('<p>（一）甲</p><p>（二）乙</p>')
    expect(
      cleanRichText(
        item('3.', '甲').replaceAll('<![if !supportLists]>', '<!--[if !supportLists]-->').replaceAll('<![endif]>', '<!--[endif]-->'),
      ),
    ).toBe('<p>3.甲</p>')
    expect(cleanRichText('<p>&lt;![if !supportLists]&gt;1. &lt;![endif]&gt;甲</p>')).toBe('<p>1. 甲</p>')
    for (const part of ['<p ', '<p mso-list:l1>', '<![if !supportLists]>', 'mso-list:l1 ']) {
      const long = part.repeat(200_000 / part.length)
      expect(cleanRichText(long).length).toBeLessThan(1_000_000)
    }
  })
  it.each([
    ['<script>alert(1)</script>甲', '甲'],
    ['<p style="position:fixed" class="x" onclick="a()">甲</p>', '<p>甲</p>'],
    ['<a href="javascript:alert(1)">甲</a>', '<a>甲</a>'],
    ['<a href=" JaVaScRiPt:alert(1)">甲</a>', '<a>甲</a>'],
    ['<a href="//evil.example">甲</a>', '<a>甲</a>'],
    ['<a href="/\\evil.example">甲</a>', '<a>甲</a>'],
    ['<a href="data:text/html,x">甲</a>', '<a>甲</a>'],
    ['<img src=x onerror=alert(1)>甲', '甲'],
    ['<svg><a xlink:href="javascript:1"><circle/></a></svg>甲', '<a></a>甲'],
    ['<iframe srcdoc="<script>1</script>"></iframe>甲', '甲'],
    ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', '<table></table>'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', '<p></p>'],
    ['<td onmouseover=a() colspan="2">格', '<td colspan="2">格</td>'],
  ])('takes what could act out of %s', (bad, good) => {
    expect(cleanRichText(bad)).toBe(good)
  })
})
