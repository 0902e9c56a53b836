import { contrast, type Hex, mix, readable, shade, type Way } from './contrast.ts'
import type { Mode, Preset } from './themes.ts'

const white: Hex = '#ffffff'

/** Text on the filled step of the primary colour. */
const onPrimary = white
/** A control must be told from its ground (1.4.11), a word must be read on it (1.4.3); a little above the limits. */
const shapeRatio = 3.1
const textRatio = 4.6

const darker =
  (color: Hex): Way =>
  amount =>
    shade(color, -amount)
const lighter =
  (color: Hex): Way =>
  amount =>
    shade(color, amount)

/** Primary as a ground: dark enough for white words, and on a dark page light enough to be seen. */
const filled = (primary: Hex, mode: Mode, grounds: readonly Hex[]): Hex => {
  const dark = readable(darker(primary), [onPrimary], textRatio)
  return mode === 'light' ? dark : readable(lighter(dark), grounds, shapeRatio)
}

interface Tone {
  readonly text: Hex
  readonly bg: Hex
  readonly border: Hex
}
const tones: Record<Mode, Record<'success' | 'warning' | 'danger', Tone>> = {
  light: {
    success: { text: '#237804', bg: '#eefbe6', border: '#b7dfa1' },
    warning: { text: '#ad4e00', bg: '#fff7e6', border: '#f0cf9a' },
    danger: { text: '#cf1322', bg: '#fff1f0', border: '#f3b7b3' },
  },
  dark: {
    success: { text: '#7fd35b', bg: '#17260f', border: '#34561f' },
    warning: { text: '#f3b45c', bg: '#2b1f0e', border: '#614515' },
    danger: { text: '#ff8a84', bg: '#2f1616', border: '#6b2a2a' },
  },
}

/** The grounds of content and what stands on them. */
const content = (preset: Preset, mode: Mode, primary: Hex) => {
  const light = mode === 'light'
  const away = light ? darker : lighter
  const page = light ? preset.page : mix('#121212', preset.tint, 0.16)
  const card = light ? white : mix('#1b1b1b', preset.tint, 0.18)
  const fill = filled(primary, mode, [page, card])
  const muted = light ? mix(white, preset.tint, 0.045) : mix(card, white, 0.035)
  const hover = light ? mix(white, fill, 0.07) : mix(mix(card, white, 0.06), fill, 0.06)
  const selected = light ? mix(white, fill, 0.12) : mix(card, fill, 0.28)
  const tint = light ? mix(white, fill, 0.09) : mix(card, fill, 0.22)
  const login = mix(page, fill, light ? 0.1 : 0.14)
  const grounds = [page, card, muted, hover, selected, tint, login]
  const ink = light ? preset.ink : mix('#eceef1', preset.tint, 0.03)
  const quiet = (amount: number) => readable(away(mix(ink, card, amount)), grounds, textRatio)
  const primaryText = readable(away(light ? fill : mix(primary, white, 0.35)), grounds, textRatio)
  const neutralBg = light ? mix(white, preset.ink, 0.07) : mix(card, white, 0.07)
  const of = (tone: Tone): Tone => ({ ...tone, text: readable(away(tone.text), [...grounds, tone.bg], textRatio) })
  const edge = (amount: number) => mix(card, light ? preset.ink : white, amount)
  return {
    page,
    card,
    muted,
    hover,
    selected,
    tint,
    ink,
    text2: quiet(0.22),
    text3: readable(away(mix(ink, card, 0.36)), [...grounds, neutralBg], textRatio),
    fill,
    fillHover: contrast(fill, white) > 12 ? shade(fill, 0.2) : shade(fill, -0.16),
    primaryText,
    neutralBg,
    neutral: readable(away(mix(ink, card, 0.22)), [neutralBg], textRatio),
    border: edge(0.18),
    borderSubtle: edge(0.1),
    borderControl: readable(away(edge(0.4)), [page, card, muted], shapeRatio),
    success: of(tones[mode].success),
    warning: of(tones[mode].warning),
    danger: of(tones[mode].danger),
    login,
    infoBorder: mix(tint, fill, 0.3),
    focus: readable(away(light ? fill : primaryText), grounds, shapeRatio),
  }
}
type Content = ReturnType<typeof content>

/** What lies on a ground of its own: words, the pointer's ground, marks and the focus ring. */
const onDark = (from: Hex, to: Hex, accent: Hex) => {
  const hover = mix(mix(from, to, 0.5), white, 0.12)
  const grounds = [from, to, hover]
  return {
    text: readable(lighter(mix(white, from, 0.24)), grounds, textRatio),
    strong: white,
    hover,
    accent: readable(lighter(accent), grounds, textRatio),
    focus: readable(lighter(mix(accent, white, 0.4)), grounds, shapeRatio),
  }
}

const column = (preset: Preset, mode: Mode): readonly [Hex, Hex] => {
  const [from, to] = preset.column
  return mode === 'light' ? [from, to] : [mix(from, '#0e0f12', 0.5), mix(to, '#0b0c0f', 0.5)]
}

const sider = (preset: Preset, mode: Mode, primary: Hex, { page, card, tint, ink, text2, fill, primaryText, focus, hover }: Content) => {
  const { sider: kind, menu } = preset.shell
  if (kind !== 'dark') {
    const ground = kind === 'light' ? card : page
    const active = menu === 'fill' || menu === 'pill' ? { bg: fill, text: onPrimary } : { bg: tint, text: primaryText }
    return { from: ground, to: ground, text: text2, strong: ink, hover, active, mark: primaryText, focus, edge: kind === 'light' }
  }
  const [from, to] = column(preset, mode)
  const on = onDark(from, to, preset.accent ?? mix(primary, white, 0.5))
  // A primary colour near the column's own would not be seen on it.
  const seen = readable(lighter(fill), [from, to], 1.6)
  const block = contrast(seen, onPrimary) >= 4.5 ? { bg: seen, text: onPrimary } : { bg: on.hover, text: onPrimary }
  const lit = mix(from, white, 0.09)
  const bar = { bg: lit, text: preset.accent ? readable(lighter(on.accent), [lit], textRatio) : onPrimary }
  const active = menu === 'fill' || menu === 'pill' ? block : bar
  return { from, to, text: on.text, strong: on.strong, hover: on.hover, active, mark: on.accent, focus: on.focus, edge: false }
}

const header = (preset: Preset, mode: Mode, primary: Hex, on: Content) => {
  const { header: kind } = preset.shell
  if (kind === 'fill' || kind === 'night') {
    const [start, end] = column(preset, mode)
    const from = kind === 'night' ? start : on.fill
    const to = kind === 'night' ? mix(start, end, 0.5) : shade(on.fill, -0.16)
    const own = onDark(from, to, preset.accent ?? mix(primary, white, 0.5))
    // White words on the pointer's ground of a filled header need a darker ground, not a lighter one.
    const hover = kind === 'fill' ? shade(on.fill, -0.25) : own.hover
    return { from, to, text: white, hover, focus: white, line: kind === 'night' ? mix(from, white, 0.12) : to }
  }
  const ground = kind === 'clear' ? on.page : on.card
  return { from: ground, to: ground, text: on.text2, hover: on.hover, focus: on.focus, line: kind === 'clear' ? ground : on.borderSubtle }
}

const tabs = (preset: Preset, mode: Mode, primary: Hex, on: Content) => {
  const { tabs: kind, header: above } = preset.shell
  if (above === 'night') {
    const [from] = column(preset, mode)
    const own = onDark(from, from, preset.accent ?? mix(primary, white, 0.5))
    const active = kind === 'pill' ? mix(from, white, 0.16) : from
    const text = readable(lighter(own.accent), [active], textRatio)
    return {
      ground: from,
      bg: from,
      text: own.text,
      line: from,
      hover: own.hover,
      active: { bg: active, text, line: text },
      focus: own.focus,
    }
  }
  const { card, page, text2, primaryText, borderSubtle, tint, hover, focus, infoBorder } = on
  const base = { bg: card, text: text2, line: borderSubtle, hover, focus, ground: card }
  switch (kind) {
    case 'card':
      return { ...base, ground: page, bg: page, line: page, active: { bg: card, text: primaryText, line: borderSubtle } }
    case 'line':
      return { ...base, line: card, active: { bg: card, text: primaryText, line: on.fill } }
    case 'pill':
      return { ...base, bg: on.muted, line: on.muted, active: { bg: on.fill, text: onPrimary, line: on.fill } }
    case 'tag':
      return { ...base, ground: page, active: { bg: card, text: on.ink, line: on.border } }
    default:
      return { ...base, active: { bg: tint, text: primaryText, line: infoBorder } }
  }
}

/** Every colour and radius of the product by its role. The names are those of tokens.css without the dashes. */
export const deriveTokens = (preset: Preset, wanted: Mode, chosen: Hex | null = null) => {
  const mode = preset.force ?? wanted
  const primary = chosen ?? preset.primary
  const on = content(preset, mode, primary)
  const side = sider(preset, mode, primary, on)
  const head = header(preset, mode, primary, on)
  const tab = tabs(preset, mode, primary, on)
  const light = mode === 'light'
  const [radius, radiusCard, radiusPortal] = preset.radius
  return {
    'bg-page': on.page,
    'bg-card': on.card,
    'bg-muted': on.muted,
    'bg-hover': on.hover,
    'bg-selected': on.selected,
    border: on.border,
    'border-subtle': on.borderSubtle,
    'border-control': on.borderControl,
    text: on.ink,
    'text-2': on.text2,
    'text-3': on.text3,
    primary: on.fill,
    'primary-hover': on.fillHover,
    'primary-text': on.primaryText,
    'primary-bg': on.tint,
    'on-primary': onPrimary,
    success: on.success.text,
    'success-bg': on.success.bg,
    'success-border': on.success.border,
    warning: on.warning.text,
    'warning-bg': on.warning.bg,
    'warning-border': on.warning.border,
    danger: on.danger.text,
    'danger-bg': on.danger.bg,
    'danger-border': on.danger.border,
    'on-danger': light ? white : '#2a0d0d',
    info: on.primaryText,
    'info-bg': on.tint,
    'info-border': on.infoBorder,
    neutral: on.neutral,
    'neutral-bg': on.neutralBg,
    'neutral-border': on.border,
    'sider-bg': side.from,
    'sider-bg-2': side.to,
    'sider-text': side.text,
    'sider-text-strong': side.strong,
    'sider-hover': side.hover,
    'sider-active': side.active.bg,
    'sider-active-text': side.active.text,
    'sider-mark': side.mark,
    'sider-focus': side.focus,
    'sider-edge': side.edge ? on.borderSubtle : side.to,
    'header-bg': head.from,
    'header-bg-2': head.to,
    'header-text': head.text,
    'header-hover': head.hover,
    'header-line': head.line,
    'header-focus': head.focus,
    'tabs-bg': tab.ground,
    'tab-bg': tab.bg,
    'tab-text': tab.text,
    'tab-line': tab.line,
    'tab-hover': tab.hover,
    'tab-active-bg': tab.active.bg,
    'tab-active-text': tab.active.text,
    'tab-active-line': tab.active.line,
    'tab-focus': tab.focus,
    'login-from': on.login,
    'login-to': on.page,
    'hero-from': shade(on.fill, -0.24),
    'hero-to': on.fill,
    'hero-text': shade(on.fill, -0.3),
    focus: on.focus,
    radius: `${radius}px`,
    'radius-card': `${radiusCard}px`,
    'radius-portal': `${radiusPortal}px`,
  } as const
}

export type Tokens = Readonly<ReturnType<typeof deriveTokens>>

/** As the `style` of the root element, or of a preview. */
export const cssOf = (tokens: Tokens): string =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
