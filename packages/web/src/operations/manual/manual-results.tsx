import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { wholeManualQuery } from './manual-pages.ts'
import classes from './manual-results.module.css'
import { type ExcerptPart, RESULTS_SHOWN, searchManual, sectionsOf } from './manual-search.ts'

/** What a search finds in all pages: page, heading and excerpt. */
export const ManualResults = ({ search }: { search: string }) => {
  const { data, error, isFetching, refetch } = useQuery(wholeManualQuery)
  const sections = useMemo(() => data?.flatMap(sectionsOf), [data])
  if (!sections)
    return error ? (
      <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
    ) : (
      <SkeletonLines label="Procurando no manual" />
    )

  const { total, shown } = searchManual(sections, search)
  return (
    <section className={shared.stackSm} aria-label="Resultados">
      <Text role="status" c="dimmed" fz="sm">
        {countOf(total)}
      </Text>
      <ol className={`${shared.divided} ${classes.results}`}>
        {shown.map(({ page, heading, to, excerpt }) => (
          <li key={to}>
            <Link to={to} className={classes.place}>
              {heading}
            </Link>
            {heading !== page && <span className={shared.smallNote}>{page}</span>}
            <p className={classes.excerpt}>
              <Excerpt parts={excerpt} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

const Excerpt = ({ parts }: { parts: readonly ExcerptPart[] }) => {
  // biome-ignore-start lint/suspicious/noArrayIndexKey: parts have no identity and never move
  return parts.map(({ text, isMarked }, index) =>
    isMarked ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
  )
  // biome-ignore-end lint/suspicious/noArrayIndexKey: see above
}

const countOf = (total: number): string => {
  if (total === 0) return 'Nenhum resultado encontrado!'
  if (total === 1) return '1 resultado'
  return total > RESULTS_SHOWN
    ? `Os ${RESULTS_SHOWN} primeiros de ${total} resultados`
    : `${total} resultados`
}
