import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { DraftsNote } from './drafts-note.tsx'

afterEach(cleanup)

const MANUAL = join(import.meta.dirname, '../../../../../docs/manual/publicacao.md')
const manual = readFileSync(MANUAL, 'utf8').replace(/\s+/g, ' ')

const show = (replaced: string[]) => {
  const { container } = render(
    <MantineProvider env="test">
      <DraftsNote replaced={replaced} />
    </MantineProvider>,
  )
  return container.querySelector('p')?.textContent ?? ''
}

test('the note says of sent files what the manual says', () => {
  const sentence = show([])
  expect(sentence).toMatch(/^O que você envia e não publica é apagado/)
  expect(manual).toContain(sentence)
})

test('the note names the files that made room, as the manual promises', () => {
  show(['janeiro.csv', 'fevereiro.csv'])
  expect(screen.getByRole('status').textContent).toBe(
    'Você tinha muitos envios à espera, e os mais antigos foram apagados para dar lugar: janeiro.csv e fevereiro.csv.',
  )
  expect(manual).toContain('o seguinte toma o lugar do mais antigo dela, e a tela diz qual foi')
})
