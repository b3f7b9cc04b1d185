import { describe, expect, test } from 'vitest'
import { answerOf } from '../embed-page/test/answer-of.ts'
import { createContentNotes } from './content-facts.ts'

const rows = (...cells: (string | number | null)[][]) =>
  answerOf({ columns: ['a'], rows: cells, truncated: false })

describe('the facts about an export', () => {
  test('the facts about an export count the rows with a value, and have the same digest for the same data', () => {
    const one = createContentNotes()
    one.note({ page: 'p' }, { visuals: { a: rows([1], [0]), b: rows([null]) }, failures: {} })
    const other = createContentNotes()
    other.note({ page: 'p', visuals: ['b'] }, { visuals: { b: rows([null]) }, failures: {} })
    other.note({ page: 'p', visuals: ['a'] }, { visuals: { a: rows([1], [0]) }, failures: {} })
    expect(one.facts()).toMatchObject({ failedVisuals: 0, rows: 1 })
    expect(other.facts()).toEqual(one.facts())
    other.note({ page: 'p', visuals: ['a'] }, { visuals: { a: rows([2], [0]) }, failures: {} })
    expect(other.facts().digest).not.toBe(one.facts().digest)
  })

  test('the facts about an export count visuals and pages that failed, unless a repetition succeeded', () => {
    const notes = createContentNotes()
    const failures = { a: { code: 'QueryFailed', message: '' } }
    notes.note({ page: 'p' }, { visuals: {}, failures })
    notes.note({ page: 'q' }, undefined)
    expect(notes.facts().failedVisuals).toBe(2)
    notes.note({ page: 'q' }, { visuals: {}, failures: {} })
    notes.note({ page: 'p', visuals: ['a'] }, { visuals: { a: rows([1]) }, failures: {} })
    expect(notes.facts()).toMatchObject({ failedVisuals: 0, rows: 1 })
  })
})
