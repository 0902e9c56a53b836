import { describe, expect, it } from 'vitest'
import { cleanNotice, noticeParagraphs } from './notice-text.ts'

describe('a notice', () => {
  it('keeps structure and text of rich text, nothing that can run or point elsewhere', () => {
    expect(
      cleanNotice(
        '<h3 onclick="x()">一</h3><p>请<b>准时</b>到 <a href="javascript:x()">考点</a></p><script>alert(1)</script><img src=x onerror=y><ul><li>身份证</li></ul>',
      ),
    ).toBe('<h3>一</h3><p>请准时到 考点</p><ul><li>身份证</li></ul>')
    expect(cleanNotice('<p>未闭合<script>alert(1)')).toBe('<p>未闭合')
    expect(cleanNotice('<<p>script>alert(1)</script>')).toBe('&lt;<p>script&gt;alert(1)')
  })

  it('makes a paragraph of each plain line and prints what was typed', () => {
    const stored = cleanNotice('成绩 < 60 & 缺考\r\n\r\n  第二行 ')
    expect(stored).toBe('<p>成绩 &lt; 60 &amp; 缺考</p><p>第二行</p>')
    expect(noticeParagraphs(stored)).toEqual(['成绩 < 60 & 缺考', '第二行'])
  })

  it('prints list entries as lines with a dot', () => {
    expect(noticeParagraphs('<p>携带：</p><ul><li>准考证</li><li><strong>身份证</strong></li></ul>')).toEqual([
      '携带：',
      '· 准考证',
      '· 身份证',
    ])
  })
})
