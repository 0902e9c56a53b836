import { type ThemeConfig, theme } from 'antd'
import type { Tokens } from '../kernel/theme/derive.ts'
import type { Mode } from '../kernel/theme/theme.ts'

/** The person asked the system for less movement. */
const isStill = (): boolean => typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches

const seedsOf = (tokens: Tokens) => ({
  colorPrimary: tokens.primary,
  colorInfo: tokens.info,
  colorLink: tokens['primary-text'],
  colorError: tokens.danger,
  colorSuccess: tokens.success,
  colorWarning: tokens.warning,
})

/** The roles of kernel/theme as values: antd works shades out of them, and cannot with `var()`. */
export const antdTheme = (mode: Mode, tokens: Tokens): ThemeConfig => ({
  algorithm: (seed, map) => ({
    ...(mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm)(seed, map),
    // Seeds are what the dark algorithm changes once more; they are readable as they are.
    ...seedsOf(tokens),
  }),
  token: {
    ...seedsOf(tokens),
    colorPrimaryHover: tokens['primary-hover'],
    colorPrimaryActive: tokens['primary-hover'],
    colorPrimaryText: tokens['primary-text'],
    colorLinkHover: tokens['primary-text'],
    colorLinkActive: tokens['primary-text'],
    colorErrorHover: tokens.danger,
    colorErrorActive: tokens.danger,
    colorErrorText: tokens.danger,
    colorText: tokens.text,
    colorTextSecondary: tokens['text-2'],
    colorTextTertiary: tokens['text-3'],
    colorTextPlaceholder: tokens['text-3'],
    colorTextDisabled: tokens['text-3'],
    colorTextDescription: tokens['text-3'],
    colorIcon: tokens['text-3'],
    colorIconHover: tokens.text,
    colorBgContainer: tokens['bg-card'],
    colorBgElevated: tokens['bg-card'],
    colorBgContainerDisabled: tokens['bg-muted'],
    colorBorder: tokens['border-control'],
    colorBorderSecondary: tokens['border-subtle'],
    controlItemBgHover: tokens['bg-hover'],
    controlItemBgActive: tokens['bg-selected'],
    controlItemBgActiveHover: tokens['bg-selected'],
    borderRadius: Number.parseInt(tokens.radius, 10),
    borderRadiusLG: Number.parseInt(tokens['radius-card'], 10),
    fontFamily: 'var(--font)',
    motion: !isStill(),
    motionDurationMid: '0.15s',
    motionDurationSlow: '0.15s',
  },
  components: {
    Form: { labelColor: tokens['text-2'] },
    Tabs: { itemSelectedColor: tokens['primary-text'], itemHoverColor: tokens['primary-text'], itemActiveColor: tokens['primary-text'] },
    Button: {
      dangerColor: tokens['on-danger'],
      defaultHoverColor: tokens['primary-text'],
      defaultHoverBorderColor: tokens['primary-text'],
      defaultActiveColor: tokens['primary-text'],
      defaultActiveBorderColor: tokens['primary-text'],
    },
  },
})
