import type { Label } from '#contract/kernel/label.ts'
import type { Hex } from './contrast.ts'

export type Mode = 'light' | 'dark'

/** Where a preset differs beyond its colours; the shell's style sheet draws each variant. */
export interface ShellLook {
  /** `light` a white column, `clear` no column at all: the menu lies on the page, `dark` a coloured column with white text. */
  readonly sider: 'light' | 'clear' | 'dark'
  /** How the item of the open page is marked: a filled block, a tinted block, a bar at the edge, a capsule. */
  readonly menu: 'fill' | 'soft' | 'bar' | 'pill'
  /** `fill` takes the primary colour, `night` stays dark in both modes. */
  readonly header: 'plain' | 'clear' | 'fill' | 'night'
  /** Boxes, underlined words, sheets joined to the page, capsules, labels with a dot. */
  readonly tabs: 'box' | 'line' | 'card' | 'pill' | 'tag'
}

export interface Preset {
  readonly name: string
  readonly label: Label
  /** A preset that is made for one mode only. */
  readonly force?: 'dark'
  /** Until the person chooses a colour. The contrast guard of derive.ts makes the readable steps of it. */
  readonly primary: Hex
  /** Pixels of controls, cards and the portal's cards. */
  readonly radius: readonly [control: number, card: number, portal: number]
  readonly shell: ShellLook
  /** The two ends of a dark column and of a night header. */
  readonly column: readonly [from: Hex, to: Hex]
  /** What marks things on a dark column; without it a light step of the primary colour. */
  readonly accent?: Hex
  /** Ground of the page in the light mode, and the tint of the grounds in the dark one. */
  readonly page: Hex
  readonly tint: Hex
  /** Text at full strength on a light ground. */
  readonly ink: Hex
}

/** S2.35. The names are those of the specification's client, `theme-bule` included. */
export const presets = [
  {
    name: 'theme-hey',
    label: { zh: '晴空', en: 'Clear sky' },
    primary: '#409eff',
    radius: [8, 10, 14],
    shell: { sider: 'light', menu: 'soft', header: 'plain', tabs: 'box' },
    column: ['#123a66', '#0c2b4e'],
    page: '#f3f6fb',
    tint: '#2b4a70',
    ink: '#1f2733',
  },
  {
    name: 'theme-bule',
    label: { zh: '深海蓝', en: 'Deep blue' },
    primary: '#1668dc',
    radius: [6, 8, 12],
    shell: { sider: 'dark', menu: 'fill', header: 'plain', tabs: 'box' },
    column: ['#10294a', '#0b1f3a'],
    page: '#f4f6fa',
    tint: '#22406b',
    ink: '#1f2329',
  },
  {
    name: 'd2',
    label: { zh: '云白', en: 'Cloud' },
    primary: '#2f74ff',
    radius: [4, 4, 12],
    shell: { sider: 'clear', menu: 'pill', header: 'clear', tabs: 'card' },
    column: ['#22344f', '#1b2a41'],
    page: '#e9eef6',
    tint: '#33415c',
    ink: '#26324a',
  },
  {
    name: 'dark',
    label: { zh: '石墨', en: 'Graphite' },
    force: 'dark',
    primary: '#3b82f6',
    radius: [4, 6, 10],
    shell: { sider: 'dark', menu: 'bar', header: 'night', tabs: 'line' },
    column: ['#0e0e10', '#0e0e10'],
    page: '#f5f5f6',
    tint: '#17181b',
    ink: '#1d1e21',
  },
  {
    name: 'white',
    label: { zh: '素纸', en: 'Paper' },
    primary: '#2a4494',
    radius: [2, 2, 6],
    shell: { sider: 'light', menu: 'bar', header: 'plain', tabs: 'line' },
    column: ['#2c3038', '#1f2228'],
    page: '#ffffff',
    tint: '#2f3136',
    ink: '#16181d',
  },
  {
    name: 'star',
    label: { zh: '星夜', en: 'Starry night' },
    primary: '#6366f1',
    radius: [10, 14, 16],
    shell: { sider: 'dark', menu: 'pill', header: 'night', tabs: 'pill' },
    column: ['#191a3e', '#0d0e26'],
    accent: '#c7b8ff',
    page: '#f2f2fb',
    tint: '#2b2a66',
    ink: '#22233c',
  },
  {
    name: 'beautiful',
    label: { zh: '丁香', en: 'Lilac' },
    primary: '#b0368f',
    radius: [12, 16, 18],
    shell: { sider: 'dark', menu: 'pill', header: 'plain', tabs: 'pill' },
    column: ['#6d2b8a', '#a02a6d'],
    accent: '#ffd3ec',
    page: '#fbf3f9',
    tint: '#5b2a55',
    ink: '#33202f',
  },
  {
    name: 'cool',
    label: { zh: '青瓷', en: 'Celadon' },
    primary: '#0e7490',
    radius: [6, 12, 14],
    shell: { sider: 'light', menu: 'fill', header: 'fill', tabs: 'line' },
    column: ['#0b4a5c', '#083a49'],
    page: '#eef7f8',
    tint: '#154a55',
    ink: '#16292e',
  },
  {
    name: 'iview',
    label: { zh: '石板', en: 'Slate' },
    primary: '#2d8cf0',
    radius: [4, 4, 10],
    shell: { sider: 'dark', menu: 'bar', header: 'plain', tabs: 'tag' },
    column: ['#4a5468', '#363e4f'],
    accent: '#8cc4ff',
    page: '#f0f0f2',
    tint: '#363e4f',
    ink: '#2a2f3a',
  },
  {
    name: 'renren',
    label: { zh: '松石', en: 'Turquoise' },
    primary: '#17b3a3',
    radius: [3, 4, 12],
    shell: { sider: 'dark', menu: 'bar', header: 'fill', tabs: 'card' },
    column: ['#263238', '#1e282d'],
    accent: '#5fe3d4',
    page: '#f1f4f5',
    tint: '#2a3d40',
    ink: '#212b30',
  },
  {
    name: 'vip',
    label: { zh: '鎏金', en: 'Gold' },
    primary: '#a0781e',
    radius: [2, 6, 8],
    shell: { sider: 'dark', menu: 'bar', header: 'night', tabs: 'line' },
    column: ['#1d1912', '#14110b'],
    accent: '#e8c77a',
    page: '#faf7f0',
    tint: '#3d321c',
    ink: '#2b2417',
  },
] as const satisfies readonly Preset[]

export type ThemeName = (typeof presets)[number]['name']

/** S9.04: the default, what the console's header takes until somebody chooses, and the colour that the picker starts with. */
export const defaultTheme: ThemeName = 'theme-hey'
export const headerTheme: ThemeName = 'theme-bule'
export const defaultPrimary: Hex = '#409eff'

export const presetOf = (name: string): Preset => presets.find(preset => preset.name === name) ?? presets[0]
