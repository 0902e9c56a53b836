import { expect, test } from 'vitest'
import { ticketTexts } from './texts.ts'

test('[26.13] an empty list says what to do next, in both languages', () => {
  for (const key of ['ticket.empty', 'seats.none', 'list.empty'] as const) {
    expect(ticketTexts.zh[key]).toMatch(/：请/)
    expect(ticketTexts.en[key]).toMatch(/: (add|press|go) /)
  }
})
