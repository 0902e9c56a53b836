import type { ReactNode } from 'react'
import { create } from 'zustand'

export interface Question {
  readonly title: string
  readonly body?: ReactNode
  readonly okText?: string
  readonly cancelText?: string
  readonly danger?: boolean
}
export const useAskStore = create<{ question: Question | null; answer: (yes: boolean) => void }>(() => ({
  question: null,
  answer: () => {},
}))

/** Asks before something that cannot be taken back; the answer is true only for a press on the button that names it. */
export const ask = (question: Question): Promise<boolean> =>
  new Promise(resolve => {
    useAskStore.setState({
      question,
      answer: yes => {
        useAskStore.setState({ question: null })
        resolve(yes)
      },
    })
  })
