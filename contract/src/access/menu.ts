import type { Label } from '../kernel/label.ts'

/** Levels of menus below each other, buttons not counted: what the side bar draws. */
export const menuLevels = 3

const texts = {
  shape: {
    zh: '路由地址须以 / 开头，或是 http(s) 网址；不能含空格、反斜杠、// 或 ..',
    en: 'The path starts with / or is an http(s) address; no spaces, backslashes, // or ..',
  },
  token: {
    zh: '外部网址不能带 token 占位符：它会把登录身份交给别的网站',
    en: 'An external address must not carry the token placeholder: it would hand the login to another site',
  },
} satisfies Readonly<Record<string, Label>>

/** What a page of another site may be told about the reader; the shell fills these in. */
const inside = /^\/(?!\/)[A-Za-z0-9_\-./:?=&%#${}]*$/

const address = /^https?:\/\/[\p{L}\p{N}][\p{L}\p{N}.-]*(:\d{1,5})?([/?#].*)?$/iu

/** What is wrong with the path of a menu; null when nothing is. Whether a screen answers to it is another question. */
export const menuPathProblem = (path: string): Label | null => {
  if (/[\s\\]|\p{Cc}/u.test(path)) return texts.shape
  if (/^https?:/i.test(path)) {
    if (!address.test(path)) return texts.shape
    return /\$\{token\}/i.test(path) ? texts.token : null
  }
  return inside.test(path) && !path.split(/[?#]/)[0]?.includes('..') && !path.split(/[?#]/)[0]?.includes('//') ? null : texts.shape
}
