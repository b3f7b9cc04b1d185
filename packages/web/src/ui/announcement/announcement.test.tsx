import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AnnouncementBanner, isLong } from './announcement-banner.tsx'
import { RichText } from './rich-text.tsx'

test('Announcement draws marks as elements, and links in a new tab without an opener', () => {
  const { container } = render(
    <RichText text={'**Hoje** e *só* hoje\nfim\n\n1. a\n- b [c](https://d.e/f)'} />,
  )
  expect(container.firstElementChild?.innerHTML).toBe(
    '<p><strong>Hoje</strong> e <em>só</em> hoje<br>fim</p><ol><li>a</li></ol>' +
      '<ul><li>b <a href="https://d.e/f" target="_blank" rel="noopener noreferrer">c</a></li></ul>',
  )
})

test('Announcement shows HTML and refused links as text', () => {
  const text = '<img src=x onerror="alert(1)"> [a](javascript:alert(1)) [b](http://c.d)'
  const { container } = render(<RichText text={text} />)
  expect(container.textContent).toBe(text)
  expect(container.querySelectorAll('img, a, script')).toHaveLength(0)
})

test('Announcement names maintenance in words', () => {
  render(<AnnouncementBanner titulo="Parada" texto="Às 22h" manutencao />)
  expect(screen.getByText('Manutenção')).toBeDefined()
})

test.each([
  ['Curto', false],
  ['a\nb\nc\nd', true],
  ['x'.repeat(131), true],
])('isLong(%j) is %s', (text, expected) => {
  expect(isLong(text)).toBe(expected)
})
