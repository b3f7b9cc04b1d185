import { expect, test } from 'vitest'
import type { EmbeddedPage } from '../../state/report-state.ts'
import { layOut } from './page-layout.ts'
import { stackedColumns, stackedPlaces } from './stacked-places.ts'

const page = (phone?: EmbeddedPage['phone']) =>
  ({
    visuals: ['a', 'b', 'c'].map((name, index) => ({
      name,
      layout: { x: 0, y: index * 100, width: 300, height: 90 },
    })),
    phone,
  }) as EmbeddedPage
const authored = page([
  { visual: 'c', half: false, height: 400 },
  { visual: 'a', half: true },
  { visual: 'gone', half: true },
])
const upright = layOut({ width: 390, height: 780 }, {}, 1)
const brief = (places: ReturnType<typeof stackedPlaces>) =>
  places.map(({ name, whole, height }) => `${name} ${whole ? 'whole' : 'half'} ${height ?? 'natural'}`)

test("stackedPlaces uses the author's phone layout on a portrait phone", () => {
  expect(brief(stackedPlaces(authored, upright))).toEqual(['c whole 400', 'a half natural'])
  expect(stackedColumns(authored, upright)).toBe(2)
})

test('stackedPlaces uses it when the embedder asks for the portrait layout', () => {
  const asked = layOut({ width: 1280, height: 720 }, { layoutType: 2 }, 1)
  expect(brief(stackedPlaces(authored, asked))).toHaveLength(2)
})

test('stackedPlaces uses the reading order on a landscape phone, and on pages without a phone layout', () => {
  const lying = layOut({ width: 844, height: 390 }, {}, 1)
  expect(lying).toMatchObject({ isStacked: true, portrait: false })
  expect(brief(stackedPlaces(authored, lying))).toEqual([
    'a half natural',
    'b half natural',
    'c whole natural',
  ])
  expect(brief(stackedPlaces(page(), upright)).map((place) => place[0])).toEqual(['a', 'b', 'c'])
  expect(stackedColumns(page(), upright)).toBe(1)
})
