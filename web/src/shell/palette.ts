import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { pinyinInitials } from '#contract/kernel/pinyin-initials.ts'
import { searchFold } from '#contract/kernel/search-fold.ts'
import { type Section, workspacePath } from '../console/page-entry.ts'
import { type ApiOutput, api } from '../kernel/api.ts'
import type { Label, Lang } from '../kernel/i18n/index.ts'
import { useCan } from '../kernel/permission.ts'
import type { ReadAt } from './menu-match.ts'

type Found = ApiOutput<'GET /me/find'>

/** Something to do, at the section of an examination where it is done. */
export interface Command {
  readonly key: string
  readonly label: Label
  readonly right: string
  readonly section: Section
  readonly search: string
}
const command = (key: string, zh: string, en: string, right: string, section: Section, search = ''): Command => ({
  key,
  label: { zh, en },
  right,
  section,
  search,
})
export const commands: readonly Command[] = [
  command('review', '初审报名', 'review sign-ups', 'examine_first', 'review', '?examine=1'),
  command('second', '复核报名', 'second review', 'examine_second', 'review', '?examine=2'),
  command('refunds', '审批退费', 'approve refunds', 'exampay_approve', 'fees', '?waitsFor=1'),
  command('seats', '编排座位', 'allocate seats', 'ticket_generate', 'tickets'),
  command('tickets', '发布准考证', 'release tickets', 'ticket_release', 'tickets'),
  command('results', '发布成绩', 'release results', 'result_release', 'results'),
  command('release', '发布考试', 'release examination', 'examination_release', 'setup', '?step=8'),
]

/** A command with what was typed behind it: the name or code of an examination. */
export interface CommandMatch {
  readonly command: Command
  readonly rest: string
}
/** Commands that hold what was typed, or that what was typed begins with: “发布成绩 HZ2026A”, “release results of …”. */
export const matchCommands = (all: readonly Command[], typed: string, lang: Lang, readAt?: ReadAt): readonly CommandMatch[] => {
  const text = searchFold(typed)
  if (text.length < 2) return []
  return all.flatMap(one => {
    const label = searchFold(one.label[lang])
    if (text.startsWith(label)) return { command: one, rest: text.slice(label.length).replace(lang === 'en' ? /^of/ : '', '') }
    const isRead = () => pinyinInitials(one.label.zh).some(way => way.startsWith(text)) || (readAt?.(one.label.zh, text) ?? -1) >= 0
    const isPart = label.includes(text) || (lang === 'zh' && isRead())
    return isPart ? { command: one, rest: '' } : []
  })
}

/** A letter alone says nothing; a character of a name does. */
const isEnough = (text: string): boolean => text.length >= 2 || /\p{Script=Han}/u.test(text)
const nothing: Found = { exams: [], signups: [], money: [], users: [] }
const moneyPaths = { due: '/pay/examPay', order: '/pay/payOrder', refund: '/pay/payRefund' } as const

/** A place to go to from the palette. */
export interface PaletteEntry {
  readonly key: string
  readonly kind: 'command' | 'exam' | 'signup' | 'due' | 'order' | 'refund' | 'user'
  readonly text: string
  readonly note: string
  readonly href: string
}

/** What is found beyond the menu: commands, examinations, sign-ups by any of their numbers or names, accounts. */
export const usePalette = (
  typed: string,
  lang: Lang,
  readAt: ReadAt | undefined,
): { entries: readonly PaletteEntry[]; isBusy: boolean } => {
  const can = useCan()
  const matched = useMemo(
    () => matchCommands(commands, typed, lang, readAt).filter(({ command: { right } }) => can(right)),
    [typed, lang, readAt, can],
  )
  const rest = matched.find(match => match.rest !== '')?.rest
  const asked = useDeferredValue((rest ?? typed).trim().slice(0, 60))
  const isAsked = isEnough(asked)
  const { data = nothing, isFetching } = useQuery({
    queryKey: ['palette', asked],
    queryFn: ({ signal }) => api.call('GET /me/find', { text: asked }, { signal, quiet: true }),
    enabled: isAsked,
    staleTime: 15_000,
    gcTime: 60_000,
  })
  const found = isAsked ? data : nothing
  const entries = useMemo((): readonly PaletteEntry[] => {
    const commandsOf = matched.flatMap(({ command: one, rest: behind }): readonly PaletteEntry[] => {
      const text = one.label[lang]
      const to = (id: string) => workspacePath(id, one.section) + one.search
      if (behind === '') return [{ key: one.key, kind: 'command', text, note: '', href: to('mine') }]
      return found.exams.map(exam => ({ key: `${one.key} ${exam.id}`, kind: 'command', text, note: exam.examName, href: to(exam.id) }))
    })
    if (rest !== undefined) return commandsOf
    return [
      ...commandsOf,
      ...found.exams.map(exam => ({
        key: exam.id,
        kind: 'exam' as const,
        text: exam.examName,
        note: exam.examCode,
        href: workspacePath(exam.id, 'overview'),
      })),
      ...found.signups.map(one => ({
        key: one.id,
        kind: 'signup' as const,
        text: [one.name, one.idCardMask?.slice(-4), one.stateName].filter(Boolean).join(' · '),
        // The number tells two of the same name apart: what has no room is the examination's.
        note: [one.signNo, one.examName].filter(Boolean).join(' · '),
        href: `/examine/signup/${one.id}`,
      })),
      ...found.money.map(one => ({
        key: one.id,
        kind: one.kind,
        text: [one.name, one.idCardTail, one.stateName].filter(Boolean).join(' · '),
        note: [one.number, one.payName, one.examName].filter(Boolean).join(' · '),
        href: `${moneyPaths[one.kind]}/${one.id}`,
      })),
      ...found.users.map(user => ({
        key: user.id,
        kind: 'user' as const,
        text: [user.realName, user.account].filter(Boolean).join(' · '),
        note: '',
        href: `/system/user/${user.id}`,
      })),
    ]
  }, [matched, found, rest, lang])
  return { entries, isBusy: isFetching && isAsked }
}
