import { expect, test } from 'vitest'
import { plainText, summaryOf } from './plain-text.ts'

test('the words of a text without its markup, also where it was cut within a tag', () => {
  expect(plainText('<p>报名费 &lt; 100 元</p><ul><li>A&amp;B</li></ul><p>c<stro')).toBe('报名费 < 100 元 A&B c')
  expect(summaryOf('<p>一二三四五</p>', 3)).toBe('一二三…')
  expect(summaryOf('<p>一二三</p>', 3)).toBe('一二三')
})

test('a beginning leaves tables out, also one that was cut', () => {
  expect(summaryOf('<p>名单如下：</p><table><tr><td>序号</td><td>姓名</td></tr></table><p>有异议的可反映。</p>')).toBe(
    '名单如下： 有异议的可反映。',
  )
  expect(summaryOf('<p>名单如下：</p><table><tr><td>序号</td><td>姓')).toBe('名单如下：')
})
