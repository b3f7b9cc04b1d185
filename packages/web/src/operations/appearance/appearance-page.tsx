import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { AppearanceForm } from './appearance-form.tsx'
import { appearanceQuery } from './appearance-queries.ts'

/** '/aparencia': name, logo and colour of the company. */
export const AppearancePage = () => {
  const { data, error, isFetching, refetch } = useQuery({ ...appearanceQuery, staleTime: 0 })
  return (
    <AdminPage
      title="Aparência"
      lead="Como o portal se apresenta na entrada, no topo das páginas, nos e-mails e nos PDFs."
    >
      {data ? (
        <AppearanceForm saved={data} />
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={480} radius="lg" />
      )}
    </AdminPage>
  )
}
