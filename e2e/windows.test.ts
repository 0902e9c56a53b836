import { describe, expect, test } from 'vitest'
import { checkAccess } from './support/axe.ts'
import { checkContrast } from './support/colours.ts'
import type { Measured } from './support/contrast.ts'
import { clippedTexts, foreignTexts, sameEverywhere, speakPseudo } from './support/pseudo.ts'
import { testEveryWindow } from './support/window-tour.ts'

const measured: Measured = new Map()

describe('every window of every page', () => {
  const opened = testEveryWindow({
    title: '[S1.07][S2.34][S2.35] %s on %s: keeps nobody out and has every text from a dictionary',
    language: 'en',
    prepare: tour => Promise.all(Object.values(tour.people).map(({ context }) => speakPseudo(context))),
    faultsOf: async (page, within) => [
      ...(await foreignTexts(page, sameEverywhere)),
      ...(await clippedTexts(page)),
      ...(await checkAccess(page, { within, colours: false })),
      ...(await checkContrast(page, measured)),
    ],
  })

  // A walk that opens nothing would find nothing wrong.
  test('are more than a hundred of the console and these of the portal', () => {
    expect([opened.staff.length > 100, opened.candidate.map(way => way.split(' ')[0])]).toEqual([
      true,
      ['/signup/myExam', '/signup/myExam', '/signup/examPay', '/info/index'],
    ])
  })
})
