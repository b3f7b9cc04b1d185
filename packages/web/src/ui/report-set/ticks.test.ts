import { expect, test } from 'vitest'
import {
  changesBetween,
  changesOf,
  countOf,
  countsByGroup,
  idsOf,
  isChanged,
  isTicked,
  joined,
  overriding,
  type ReportRef,
  ticksOf,
  touched,
  withTicks,
} from './ticks.ts'

const report = (idRelatorio: number, nomeRelatorio: string, idGrupoRelatorio = 1): ReportRef => ({
  idRelatorio,
  nomeRelatorio,
  idGrupoRelatorio,
})
const [agua, banco, zelo] = [report(1, 'Água'), report(2, 'Banco'), report(3, 'Zelo')]
const unopened = [report(40, 'Longe', 9), report(41, 'Mais longe', 9)]
const names = (reports: ReportRef[]) => reports.map(({ nomeRelatorio }) => nomeRelatorio)

test('the summary names what is added and removed, in Portuguese order, and forgets what was undone', () => {
  let ticks = ticksOf([banco])
  ticks = withTicks(ticks, [zelo, agua], true)
  ticks = withTicks(ticks, [banco], false)
  expect(names(changesOf(ticks).added)).toEqual(['Água', 'Zelo'])
  expect(names(changesOf(ticks).removed)).toEqual(['Banco'])
  ticks = withTicks(ticks, [zelo, agua], false)
  ticks = withTicks(ticks, [banco], true)
  expect(isChanged(ticks)).toBe(false)
  expect(changesOf(ticks)).toEqual({ added: [], removed: [] })
})

test('the whole set keeps the workspaces that were never opened', () => {
  let ticks = ticksOf([banco, ...unopened])
  ticks = withTicks(ticks, [agua, banco, zelo], true)
  expect(idsOf(ticks).sort()).toEqual([1, 2, 3, 40, 41])
  ticks = withTicks(ticks, [agua, banco, zelo], false)
  expect(idsOf(ticks)).toEqual([40, 41])
  expect(countOf(ticks)).toBe(2)
  expect([...countsByGroup(ticks)]).toEqual([
    [1, 0],
    [9, 2],
  ])
})

test('counts by workspace follow every mark, also in a workspace that had none', () => {
  const ticks = withTicks(withTicks(ticksOf([agua, ...unopened]), [zelo], true), [unopened[0] ?? agua], false)
  expect([...countsByGroup(ticks)]).toEqual([
    [1, 2],
    [9, 1],
  ])
  expect(countOf(ticks)).toBe(3)
})

test('a report unticked a moment ago is still listed among those marked', () => {
  const ticks = withTicks(withTicks(ticksOf([banco]), [banco], false), [agua], true)
  expect(names(touched(ticks))).toEqual(['Água', 'Banco'])
  expect(isTicked(ticks, banco.idRelatorio)).toBe(false)
})

test('two administrators: joining keeps what both did', () => {
  const mine = withTicks(withTicks(ticksOf([agua, banco]), [zelo], true), [agua], false)
  const theirs = [agua, unopened[0] ?? agua]
  expect(changesBetween(mine.base, theirs)).toEqual({ added: [unopened[0]], removed: [banco] })
  const both = joined(mine, theirs)
  expect(idsOf(both).sort()).toEqual([3, 40])
  expect(names(changesOf(both).added)).toEqual(['Zelo'])
})

test('two administrators: keeping only mine gives exactly the set on the screen', () => {
  const mine = withTicks(ticksOf([agua, banco]), [zelo], true)
  const theirs = [agua, unopened[0] ?? agua]
  const only = overriding(mine, theirs)
  expect(idsOf(only).sort()).toEqual([1, 2, 3])
  expect(names(changesOf(only).removed)).toEqual(['Longe'])
})

test('the same change made by both leaves nothing to save', () => {
  const mine = withTicks(ticksOf([agua]), [zelo], true)
  expect(isChanged(joined(mine, [agua, zelo]))).toBe(false)
})

test('marks that were kept come back on top of what the server holds now', () => {
  const kept = [...withTicks(ticksOf([agua]), [zelo, banco], true).marks.values()]
  const restored = ticksOf([agua, banco], kept)
  expect(names(changesOf(restored).added)).toEqual(['Zelo'])
})
