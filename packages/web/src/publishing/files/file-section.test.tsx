import { DATA_EXTENSIONS } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FileSection } from './file-section.tsx'

const show = (leftOut: string[]) =>
  render(
    <MantineProvider env="test">
      <FileSection
        sent={[]}
        replaced={[]}
        leftOut={leftOut}
        isBusy={false}
        fault={undefined}
        onChoose={() => undefined}
      />
    </MantineProvider>,
  )

test('the section names the files that were not sent, at most ten', () => {
  const { unmount } = show(['v/leia.pdf'])
  screen.getByText('Este arquivo não foi enviado, porque não tem dados nem definições: v/leia.pdf.')
  unmount()
  show(Array.from({ length: 12 }, (_, index) => `${index}.pdf`))
  screen.getByText(
    /^Estes arquivos não foram enviados, porque não têm dados nem definições: 0\.pdf, .*, 9\.pdf e mais 2 arquivos\.$/,
  )
})

test('the file dialog offers each kind that gets a sentence', () => {
  const { container } = show([])
  const accepted = container.querySelector('input[type=file][accept]')?.getAttribute('accept')?.split(',')
  expect(accepted).toEqual([...DATA_EXTENSIONS, 'text/csv', '.zip'])
})
