import { expect, test } from 'vitest'
import {
  changesBetween,
  changesOf,
  countOf,
  countsByGroup,
  idsOf,
  isChanged,
  isTicked,
  overrideWithMine,
  type ReportRef,
  rebaseMarks,
  reportsToList,
  tickReports,
  ticksOf,
} from './ticks.ts'

const report = (idRelatorio: number, nomeRelatorio: string, idGrupoRelatorio = 1): ReportRef => ({
  idRelatorio,
  nomeRelatorio,
  idGrupoRelatorio,
})
const [agua, banco, zelo] = [report(1, 'Água'), report(2, 'Banco'), report(3, 'Zelo')]
const unopened = [report(40, 'Longe', 9), report(41, 'Mais longe', 9)]
const names = (reports: ReportRef[]) => reports.map(({ nomeRelatorio }) => nomeRelatorio)

test('changesOf lists additions and removals in Portuguese order, without undone ones', () => {
  let ticks = ticksOf([banco])
  ticks = tickReports(ticks, [zelo, agua], true)
  ticks = tickReports(ticks, [banco], false)
  expect(names(changesOf(ticks).added)).toEqual(['Água', 'Zelo'])
  expect(names(changesOf(ticks).removed)).toEqual(['Banco'])
  ticks = tickReports(ticks, [zelo, agua], false)
  ticks = tickReports(ticks, [banco], true)
  expect(isChanged(ticks)).toBe(false)
  expect(changesOf(ticks)).toEqual({ added: [], removed: [] })
})

test('idsOf keeps reports of workspaces that were never opened', () => {
  let ticks = ticksOf([banco, ...unopened])
  ticks = tickReports(ticks, [agua, banco, zelo], true)
  expect(idsOf(ticks).sort()).toEqual([1, 2, 3, 40, 41])
  ticks = tickReports(ticks, [agua, banco, zelo], false)
  expect(idsOf(ticks)).toEqual([40, 41])
  expect(countOf(ticks)).toBe(2)
  expect([...countsByGroup(ticks)]).toEqual([
    [1, 0],
    [9, 2],
  ])
})

test('countsByGroup follows every mark, also in a workspace without ticks', () => {
  const ticks = tickReports(
    tickReports(ticksOf([agua, ...unopened]), [zelo], true),
    [unopened[0] ?? agua],
    false,
  )
  expect([...countsByGroup(ticks)]).toEqual([
    [1, 2],
    [9, 1],
  ])
  expect(countOf(ticks)).toBe(3)
})

test('touched still lists a report that was just unticked', () => {
  const ticks = tickReports(tickReports(ticksOf([banco]), [banco], false), [agua], true)
  expect(names(reportsToList(ticks))).toEqual(['Água', 'Banco'])
  expect(isTicked(ticks, banco.idRelatorio)).toBe(false)
})

test('joined keeps the changes of both administrators', () => {
  const mine = tickReports(tickReports(ticksOf([agua, banco]), [zelo], true), [agua], false)
  const theirs = [agua, unopened[0] ?? agua]
  expect(changesBetween(mine.base, theirs)).toEqual({ added: [unopened[0]], removed: [banco] })
  const both = rebaseMarks(mine, theirs)
  expect(idsOf(both).sort()).toEqual([3, 40])
  expect(names(changesOf(both).added)).toEqual(['Zelo'])
})

test('overriding yields exactly the set on the screen', () => {
  const mine = tickReports(ticksOf([agua, banco]), [zelo], true)
  const theirs = [agua, unopened[0] ?? agua]
  const only = overrideWithMine(mine, theirs)
  expect(idsOf(only).sort()).toEqual([1, 2, 3])
  expect(names(changesOf(only).removed)).toEqual(['Longe'])
})

test('joined leaves nothing to save when both made the same change', () => {
  const mine = tickReports(ticksOf([agua]), [zelo], true)
  expect(isChanged(rebaseMarks(mine, [agua, zelo]))).toBe(false)
})

test("ticksOf applies restored marks to the server's current set", () => {
  const kept = [...tickReports(ticksOf([agua]), [zelo, banco], true).marks.values()]
  const restored = ticksOf([agua, banco], kept)
  expect(names(changesOf(restored).added)).toEqual(['Zelo'])
})
