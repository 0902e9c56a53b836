import { createStore } from 'zustand/vanilla'
import * as settings from './settings.ts'

export type Tone = 'success' | 'info' | 'warning' | 'error'
export interface Message {
  readonly id: number
  readonly tone: Tone
  readonly text: string
}

/** Short messages waiting to be read. The `Toaster` of each entry draws them, so this file knows no kit. */
export const messageStore = createStore<{ messages: readonly Message[] }>(() => ({ messages: [] }))

let lastId = 0
let seen: { text: string; atMs: number }[] = []

/** Shows a text. The same text within two seconds is shown once, however many calls failed with it. */
export const notify = (tone: Tone, text: string): void => {
  const now = Date.now()
  seen = seen.filter(entry => now - entry.atMs < settings.sameMessageMs)
  if (seen.some(entry => entry.text === text)) return
  seen.push({ text, atMs: now })
  lastId += 1
  const message: Message = { id: lastId, tone, text }
  messageStore.setState(state => ({ messages: [...state.messages, message].slice(-4) }))
  const readingMs = tone === 'error' || tone === 'warning' ? 6_000 : 3_000
  setTimeout(() => dismiss(message.id), readingMs)
}

/** Takes a text away; what was read and closed is said anew when it happens anew. */
export const dismiss = (id: number): void => {
  const { messages } = messageStore.getState()
  const closed = messages.find(message => message.id === id)
  seen = seen.filter(entry => entry.text !== closed?.text)
  messageStore.setState({ messages: messages.filter(message => message.id !== id) })
}
