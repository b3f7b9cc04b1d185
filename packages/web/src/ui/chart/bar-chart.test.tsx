import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BarChart } from './bar-chart.tsx'

test('the bar chart draws bars in proportion to their values, and labels only those that have a label', () => {
  const bars = [
    { key: 'a', value: 10, title: 'Dez', label: '27/02' },
    { key: 'b', value: 0, title: 'Zero', label: undefined },
    { key: 'c', value: 40, title: 'Quarenta', label: '01/03' },
  ]
  const { container } = render(
    <BarChart bars={bars} levels={[0, 20, 40]} levelText={(level) => `${level} h`} wideWidth={640} />,
  )
  const heights = [...container.querySelectorAll('rect')].map((bar) => Number(bar.getAttribute('height')))
  expect(heights).toEqual([41, 0, 164])
  const texts = [...container.querySelectorAll('text')].map(({ textContent }) => textContent)
  expect(texts).toEqual(['0 h', '20 h', '40 h', '27/02', '01/03'])
})
