import { expect, test } from 'vitest'
import { mayFollow, type OpeningState } from './opening-state.ts'

const names: OpeningState['name'][] = ['requesting', 'loading', 'loaded', 'rendered', 'failed', 'closed']
const state = (name: OpeningState['name']) => ({ name }) as OpeningState

test.each([
  ['requesting', ['requesting', 'loading', 'failed', 'closed']],
  ['loading', ['loaded', 'failed', 'closed']],
  ['loaded', ['rendered', 'failed', 'closed']],
  ['rendered', ['failed', 'closed']],
  ['failed', ['closed']],
  ['closed', []],
] as const)('an opening that is %s becomes only %j', (from, successors) => {
  expect(names.filter((to) => mayFollow(state(from), state(to)))).toEqual(successors)
})
