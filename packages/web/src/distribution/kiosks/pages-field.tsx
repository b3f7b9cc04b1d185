import { MAX_KIOSK_PAGES } from '@bi-manager/contract'
import { Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { ActionButton } from '../../ui/action-button.tsx'
import shared from '../../ui/shared.module.css'
import { movedPages, newPage, type PageValues } from './kiosk-values.ts'
import classes from './kiosks.module.css'
import { PageFields } from './page-fields.tsx'

interface PagesFieldProps {
  value: PageValues[]
  onChange: (pages: PageValues[]) => void
  /** As answered: `paginas`, or `paginas.2.segundos` of the third page that was sent. */
  errors: Partial<Record<string, string>>
}

/** The rotation: its pages, in their order. */
export const PagesField = ({ value: pages, onChange, errors }: PagesFieldProps) => {
  const sent = pages.filter(({ excluido }) => excluido === null)
  const errorsOf = (page: PageValues) => {
    const at = `paginas.${sent.indexOf(page)}`
    return { idRelatorio: errors[`${at}.idRelatorio`], segundos: errors[`${at}.segundos`] }
  }
  return (
    <fieldset aria-describedby="paginas-erro">
      <Text component="legend" fw={600}>
        Páginas da rotação
      </Text>
      <p className={shared.note}>
        A tela mostra só estas páginas, nesta ordem, cada uma pelos segundos ao lado dela. Relatórios
        paginados ou com dados sensíveis não passam em telões.
      </p>
      <ol className={classes.pages}>
        {pages.map((page, index) => (
          <li key={page.chave}>
            <PageFields
              page={page}
              number={index + 1}
              isLast={index === pages.length - 1}
              errors={errorsOf(page)}
              onChange={(change) => onChange(pages.with(index, { ...page, ...change }))}
              onMove={(step) => onChange(movedPages(pages, index, step))}
              onRemove={() => onChange(pages.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      <p id="paginas-erro" className={errors.paginas ? classes.pagesError : undefined}>
        {errors.paginas}
      </p>
      <ActionButton
        className={classes.add}
        size="sm"
        icon={IconPlus}
        label="Acrescentar página"
        type="button"
        disabled={pages.length >= MAX_KIOSK_PAGES}
        onClick={() => onChange([...pages, newPage(pages)])}
      />
    </fieldset>
  )
}
