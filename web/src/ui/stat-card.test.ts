import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StatCard } from './stat-card.tsx'

test('a figure says what is counted before what it is compared with', () => {
  expect(
    renderToStaticMarkup(createElement(StatCard, { name: '报名人数', value: 260, means: '已提交（不含撤回）', note: '今日 +3' })),
  ).toBe(
    '<div class="card stat-card"><dt>报名人数</dt><dd>260</dd><dd class="stat-note">已提交（不含撤回）</dd><dd class="stat-note">今日 +3</dd></div>',
  )
})
