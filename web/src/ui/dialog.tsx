import type { ReactNode } from 'react'
import { create } from 'zustand'
import { translate } from '../kernel/i18n/index.ts'

export interface ConfirmOptions {
  readonly title: string
  /** What will happen and to what; line breaks stay. */
  readonly text: ReactNode
  readonly ok?: string
  readonly cancel?: string
  readonly danger?: boolean
}
export interface Asked extends ConfirmOptions {
  readonly answer: (yes: boolean) => void
}

export const useAsked = create<{ asked: Asked | null }>(() => ({ asked: null }))

/**
 * Asks before something that cannot be taken back. Name what it hits: `confirm({ title, text: t('…', { name, count }), danger: true })`.
 * One dialog for the whole console; rows and buttons hold none of their own.
 */
export const confirm = (options: ConfirmOptions): Promise<boolean> =>
  new Promise(resolve => {
    useAsked.getState().asked?.answer(false)
    useAsked.setState({
      asked: {
        ...options,
        answer: yes => {
          useAsked.setState({ asked: null })
          resolve(yes)
        },
      },
    })
  })

/** Asks before typed input is thrown away. @returns whether it may be */
export const askToLeave = (): Promise<boolean> =>
  confirm({
    title: translate('form.unsaved.leave'),
    text: translate('form.unsaved'),
    ok: translate('form.unsaved.leave'),
    cancel: translate('form.unsaved.stay'),
  })

/** How many names a question lists before it only counts. */
const listedNames = 3

/** `a、b、c 等 12 条`: what a question is about, by name and count. */
export const namesAndCount = (names: readonly string[], count = names.length): string => {
  const few = names.slice(0, listedNames).join(translate('list.separator'))
  return count > listedNames ? translate('list.andOthers', { names: few, count }) : few
}
