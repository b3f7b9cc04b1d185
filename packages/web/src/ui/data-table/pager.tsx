import { PAGE_SIZES } from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'
import { pageSizeOf } from '../../lib/lists/page-size.ts'
import type { List } from '../../lib/lists/use-list.ts'
import { PageSteps } from '../page-steps.tsx'
import shared from '../shared.module.css'
import classes from './data-table.module.css'
import { pageRange } from './page-range.ts'

interface PagerProps<R, F extends string> {
  list: List<R, F>
  /** Hides 'Linhas por página'. */
  isInPanel?: boolean
}

/** Shows 'Anterior', the page, 'Próximo', rows per page, and the range of rows. */
export const Pager = <R, F extends string>({ list, isInPanel = false }: PagerProps<R, F>) => {
  const { state, rows, total, isCapped } = list
  const { pagina, tamanho, goTo, resize } = state
  const { canGoBack, canGoOn, text } = pageRange({
    pagina,
    tamanho,
    total,
    isCapped,
    count: rows?.length ?? 0,
  })

  return (
    <nav className={`${shared.note} ${shared.spreadWide} ${classes.pager}`} aria-label="Páginas">
      <div className={classes.size}>
        {!isInPanel && (
          <NativeSelect
            label="Linhas por página"
            classNames={{ root: classes.sizeField, label: classes.sizeLabel }}
            data={PAGE_SIZES.map(String)}
            value={String(tamanho)}
            onChange={(event) => resize(pageSizeOf(event.currentTarget.value) ?? tamanho)}
          />
        )}
        <span>{text}</span>
      </div>
      <div className={`${shared.row} ${classes.steps}`}>
        <PageSteps page={pagina} canGoBack={canGoBack} canGoOn={canGoOn} goTo={goTo} next="Próximo">
          <span aria-current="page" className={classes.current}>
            <span className={shared.screenReaderOnly}>Página </span>
            {pagina}
          </span>
        </PageSteps>
      </div>
    </nav>
  )
}
