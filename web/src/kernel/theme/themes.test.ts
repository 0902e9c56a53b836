import { theme as antd } from 'antd'
import { describe, expect, it } from 'vitest'
import { antdTheme } from '../../ui/antd-theme.ts'
import { contrast, type Hex, isHex } from './contrast.ts'
import { deriveTokens, type Tokens } from './derive.ts'
import shellTokensCss from './shell-tokens.css?raw'
import { defaultPrimary, defaultTheme, headerTheme, type Mode, presetOf, presets } from './themes.ts'
import tokensCss from './tokens.css?raw'

const modes: readonly Mode[] = ['light', 'dark']
/** The preset's own colour, and colours that nothing can be read on or beside. */
const primaries: readonly (Hex | null)[] = [null, '#ffff00', '#ffffff', '#000000', '#409eff', '#ff0000', '#00ff00', '#0000ff', '#808080']
const every = presets.flatMap(preset => modes.flatMap(mode => primaries.map(primary => ({ preset, mode, primary }))))

type Name = keyof Tokens
type Pair = readonly [front: Name, grounds: readonly Name[], least: number]

const text = 4.5
/** Graphics and the shapes of controls (1.4.11). */
const shape = 3
const content = ['bg-page', 'bg-card', 'bg-muted', 'bg-hover', 'bg-selected', 'primary-bg'] as const
const login = ['login-from', 'login-to'] as const

/** What stands on what, all over the product. */
const pairs: readonly Pair[] = [
  ['text', [...content, ...login, 'neutral-bg'], text],
  ['text-2', [...content, ...login], text],
  ['text-3', [...content, 'neutral-bg'], text],
  ['primary-text', [...content, 'login-to'], text],
  ['on-primary', ['primary', 'primary-hover', 'hero-from', 'hero-to'], text],
  ['hero-text', ['on-primary'], text],
  ['on-danger', ['danger'], text],
  ...(['success', 'warning', 'danger', 'info'] as const).map((tone): Pair => [tone, [`${tone}-bg`, ...content], text]),
  ['neutral', ['neutral-bg'], text],
  ['text-2', ['bg-muted'], text],
  ['border-control', ['bg-card', 'bg-page', 'bg-muted'], shape],
  ['primary', ['bg-card', 'bg-page'], shape],
  ['focus', content, shape],
  ['sider-text', ['sider-bg', 'sider-bg-2', 'sider-hover'], text],
  ['sider-text-strong', ['sider-bg', 'sider-bg-2', 'sider-hover'], text],
  ['sider-active-text', ['sider-active'], text],
  ['sider-mark', ['sider-bg', 'sider-bg-2'], shape],
  ['sider-focus', ['sider-bg', 'sider-bg-2', 'sider-hover'], shape],
  ['header-text', ['header-bg', 'header-bg-2', 'header-hover'], text],
  ['header-focus', ['header-bg', 'header-bg-2', 'header-hover'], shape],
  ['tab-text', ['tab-bg', 'tabs-bg', 'tab-hover'], text],
  ['tab-active-text', ['tab-active-bg'], text],
  ['tab-focus', ['tab-bg', 'tabs-bg'], shape],
]

const colourOf = (tokens: Tokens, name: Name): Hex => {
  const value = tokens[name]
  if (!isHex(value)) throw new Error(`${name} is no colour: ${value}`)
  return value
}

const tooFaint = (tokens: Tokens): string[] =>
  pairs.flatMap(([front, grounds, least]) =>
    grounds.flatMap(ground => {
      const [a, b] = [colourOf(tokens, front), colourOf(tokens, ground)]
      const ratio = contrast(a, b)
      return ratio < least ? [`${front} ${a} on ${ground} ${b}: ${ratio.toFixed(2)} < ${least}`] : []
    }),
  )

/** What antd itself makes of the seeds. */
const antdPairs = [
  ['colorText', 'colorBgContainer', text],
  ['colorText', 'colorBgElevated', text],
  ['colorText', 'controlItemBgActive', text],
  ['colorText', 'controlItemBgHover', text],
  ['colorTextSecondary', 'colorBgContainer', text],
  ['colorTextDescription', 'colorBgContainer', text],
  ['colorTextPlaceholder', 'colorBgContainer', text],
  ['colorTextDisabled', 'colorBgContainerDisabled', text],
  ['colorLink', 'colorBgContainer', text],
  ['colorLinkHover', 'colorBgElevated', text],
  ['colorError', 'colorBgContainer', text],
  ['colorWarning', 'colorBgContainer', text],
  ['colorSuccess', 'colorBgContainer', text],
  ['colorTextLightSolid', 'colorPrimary', text],
  ['colorTextLightSolid', 'colorPrimaryHover', text],
  ['colorTextLightSolid', 'colorPrimaryActive', text],
  ['colorPrimary', 'colorBgContainer', shape],
  ['colorBorder', 'colorBgContainer', shape],
  ['colorIcon', 'colorBgContainer', shape],
] as const

describe('contrast of the themes', () => {
  it('[S2.35][S2.36] every pair of every theme, light and dark, with every awkward primary colour, is readable', () => {
    const faint = every.flatMap(({ preset, mode, primary }) =>
      tooFaint(deriveTokens(preset, mode, primary)).map(line => `${preset.name} ${mode} ${primary ?? 'own'}: ${line}`),
    )
    expect(faint).toEqual([])
  })

  it('[S2.35][S2.36] so is what antd derives from them', () => {
    const faint = every.flatMap(({ preset, mode: wanted, primary }) => {
      const mode = presetOf(preset.name).force ?? wanted
      const design = antd.getDesignToken(antdTheme(mode, deriveTokens(preset, mode, primary)))
      return antdPairs.flatMap(([front, ground, least]) => {
        const [a, b] = [design[front], design[ground]]
        if (!isHex(a) || !isHex(b)) {
          const white = '#fff'
          if (a !== white || !isHex(b)) return [`${front} or ${ground} is not plain: ${a}, ${b}`]
        }
        const ratio = contrast(a === '#fff' ? '#ffffff' : (a as Hex), b as Hex)
        return ratio < least ? [`${preset.name} ${mode} ${primary ?? 'own'}: ${front} ${a} on ${ground} ${b}: ${ratio.toFixed(2)}`] : []
      })
    })
    expect(faint).toEqual([])
  })
})

describe('presets', () => {
  it('[S2.35] are eleven with names of their own in both languages', () => {
    expect(presets.map(preset => preset.name)).toEqual([
      'theme-hey',
      'theme-bule',
      'd2',
      'dark',
      'white',
      'star',
      'beautiful',
      'cool',
      'iview',
      'renren',
      'vip',
    ])
    expect(new Set(presets.map(preset => preset.label.zh)).size).toBe(11)
    expect(new Set(presets.map(preset => preset.label.en)).size).toBe(11)
  })

  it('[S2.35] differ in more than a hue: no two share form, radius and kind of ground', () => {
    const forms = presets.map(({ shell, radius, column }) => JSON.stringify([shell, radius, column]))
    expect(new Set(forms).size).toBe(11)
    const shapes = presets.map(({ shell, radius }) => JSON.stringify([shell, radius]))
    expect(new Set(shapes).size).toBe(11)
  })

  it('[S9.04] start with theme-hey and #409EFF; the header takes theme-bule', () => {
    expect([defaultTheme, headerTheme, defaultPrimary, presetOf(defaultTheme).primary]).toEqual([
      'theme-hey',
      'theme-bule',
      '#409eff',
      '#409eff',
    ])
  })

  it('[S9.04] tokens.css and shell-tokens.css are the default theme in both modes', () => {
    const block = (selector: string) => {
      const inside = [tokensCss, shellTokensCss].map(sheet => sheet.split(`\n${selector} {`)[1]?.split('\n}')[0] ?? '').join('\n')
      return Object.fromEntries([...inside.matchAll(/^ {2}--([\w-]+): (.+);$/gm)].map(([, name, value]) => [name, value]))
    }
    const light = block(':root')
    expect(light).toMatchObject(deriveTokens(presetOf(defaultTheme), 'light'))
    expect({ ...light, ...block(':root[data-theme="dark"]') }).toMatchObject(deriveTokens(presetOf(defaultTheme), 'dark'))
  })
})

it('the ratio is that of WCAG', () => {
  expect([contrast('#000000', '#ffffff'), contrast('#ffffff', '#ffffff')]).toEqual([21, 1])
  expect(contrast('#409eff', '#ffffff')).toBeCloseTo(2.77, 1)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
