import { Anchor } from '@mantine/core'
import { IconChevronLeft, IconFileUnknown, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation, useParams, useSearchParams } from 'react-router'
import { useTyped } from '../../lib/lists/list-state.ts'
import { useChangeSearch } from '../../lib/lists/use-change-search.ts'
import { SCREEN } from '../../lib/navigation/help.ts'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'
import { PageSearch } from '../../ui/page-search/page-search.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import classes from './manual.module.css'
import { anchorOf } from './manual-anchor.ts'
import { ManualArticle } from './manual-article.tsx'
import { ManualContents } from './manual-contents.tsx'
import { manualPageQuery, successorQuery } from './manual-pages.ts'
import { manualAddressOf } from './manual-places.ts'
import { ManualResults } from './manual-results.tsx'

/**
 * '/ajuda' and its pages: the manual. A screen in the address leads to its place; an anchor that
 * another page took over leads to that page.
 */
export const ManualRoute = () => {
  const { pagina = '' } = useParams()
  const screen = useSearchParams()[0].get(SCREEN)
  const { hash } = useLocation()
  const { data: successor } = useQuery(successorQuery(pagina, anchorOf(hash)))
  if (screen !== null) return <Navigate to={manualAddressOf(screen)} replace />
  if (successor) return <Navigate to={`/ajuda/${successor}${hash}`} replace />
  return <ManualReader slug={pagina} />
}

const ManualReader = ({ slug }: { slug: string }) => {
  const busca = useSearchParams()[0].get('busca') ?? ''
  const changeSearch = useChangeSearch()
  const typing = useTyped(busca, (text) =>
    changeSearch((next) => (text ? next.set('busca', text) : next.delete('busca')), { replace: true }),
  )
  const { data: page, error, isFetching, refetch } = useQuery(manualPageQuery(slug))
  const title = page === null ? 'Página não encontrada' : page?.title
  usePageTitle(title && `${title} · Ajuda`)

  return (
    <AdminPage
      title={busca ? 'Ajuda' : (title ?? 'Ajuda')}
      above={
        slug && (
          <Anchor
            component={Link}
            to="/ajuda"
            size="sm"
            mih="1.5rem"
            className={`${shared.backLink} ${shared.screenOnly}`}
          >
            <IconChevronLeft size={16} aria-hidden />
            Manual
          </Anchor>
        )
      }
      lead={slug === '' && !busca && 'Escolha uma página, ou procure em todas.'}
      actions={
        <div className={`${shared.screenOnly} ${shared.buttons}`}>
          <PageSearch
            label="Buscar no manual"
            className={classes.search}
            value={typing.typed}
            onChange={typing.type}
          />
          {slug && page && !busca && (
            <ActionButton icon={IconPrinter} label="Imprimir" onClick={() => window.print()} />
          )}
        </div>
      }
    >
      {busca ? (
        <ManualResults search={busca} />
      ) : page ? (
        <div className={classes.page}>
          {page.headings.length > 0 && <ManualContents headings={page.headings} />}
          <ManualArticle page={page} />
        </div>
      ) : page === null ? (
        <PageMessage
          level={2}
          icon={IconFileUnknown}
          heading="O manual não tem esta página"
          actions={<ActionButton isMain label="Ver as páginas do manual" to="/ajuda" />}
        >
          O endereço pode estar incompleto, ou a página mudou de nome.
        </PageMessage>
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines label="Abrindo o manual" />
      )}
    </AdminPage>
  )
}
