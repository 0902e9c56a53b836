import { describe, expect, it } from 'vitest'
import { loginTexts } from '../../login/texts.ts'
import { resourceTexts } from '../../resource/texts.ts'
import { deskTexts } from './desk.ts'
import { en } from './en.ts'
import { fill, type Texts } from './index.ts'
import { zh } from './zh.ts'

type Dictionary = Texts<Record<string, string>>
const isDictionary = (value: unknown): value is Dictionary => typeof value === 'object' && value !== null && 'zh' in value && 'en' in value
/** Every file of texts in the tree: a new one cannot be forgotten. */
const files = import.meta.glob<Record<string, unknown>>('../../**/*texts*.ts', { eager: true })
const all: Record<string, Dictionary> = { kernel: { zh, en }, desk: deskTexts }
for (const [file, exported] of Object.entries(files))
  for (const [name, value] of Object.entries(exported))
    if (isDictionary(value)) {
      await value.load?.()
      all[`${file.replaceAll('../', '')} ${name}`] = value
    }

const namesOf = (text: string) => [...text.matchAll(/\{(\w+)[|}]/g)].map(match => match[1]).sort()

describe.each(Object.entries(all))('texts of %s', (_name, texts) => {
  it('[S1.07] have the same keys and the same parameters in both languages', () => {
    expect(Object.keys(texts.en).sort()).toEqual(Object.keys(texts.zh).sort())
    const different = Object.keys(texts.zh).filter(key => namesOf(texts.zh[key] ?? '').join() !== namesOf(texts.en[key] ?? '').join())
    expect(different).toEqual([])
  })
  it('leave no English text in Chinese', () => {
    const left = Object.entries(texts.en).filter(([, text]) => /[一-鿿]/.test(text))
    expect(left).toEqual([])
  })
})

it('fills parameters in and leaves unknown ones alone', () => {
  expect(fill('{count} of {total} {rest}', { count: 1, total: 2 })).toBe('1 of 2 {rest}')
  const found = '{posts|post|posts}, {plan|place|places}'
  expect(fill(found, { posts: 1, plan: 21 })).toBe('1 post, 21 places')
  expect(fill(found, { posts: '1,000+', plan: 0 })).toBe('1,000+ posts, 0 places')
})

it('[S5.13][S8.03][S8.05][S8.09] quotes the texts of the specification word for word', () => {
  expect([
    resourceTexts.zh['bulk.none'],
    resourceTexts.zh['bulk.confirm'],
    zh['error.tokenExpired'],
    zh['error.system'],
    deskTexts.zh['done.added'],
    deskTexts.zh['done.updated'],
    deskTexts.zh['done.deleted'],
    loginTexts.zh.title,
    loginTexts.en.title,
  ]).toEqual([
    '请选择至少一条数据',
    '确定将选择数据删除?',
    '用户令牌过期，请重新登录',
    '系统错误',
    '新增成功',
    '更新成功',
    '删除成功',
    '登录',
    'Log in',
  ])
})

it('keeps texts of the console out of the portal, the login and the kernel', () => {
  const sources = import.meta.glob<string>(['../../{portal,login,kernel,boot}/**/*.{ts,tsx}', '!./*.ts'], {
    eager: true,
    query: '?raw',
    import: 'default',
  })
  const used = Object.entries(sources).flatMap(([file, source]) =>
    Object.keys(deskTexts.zh).flatMap(key =>
      source.includes(`t('${key}'`) || source.includes(`translate('${key}'`) ? [`${file}: ${key}`] : [],
    ),
  )
  expect(used).toEqual([])
})
