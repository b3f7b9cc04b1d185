import { commentsApi } from '@bi-manager/contract'
import { Skeleton, Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import classes from './security-settings.module.css'
import { securitySettingsQuery } from './security-settings-queries.ts'

const commentSettingsQuery = queryOptions({
  queryKey: ['regra-de-comentarios'],
  queryFn: ({ signal }) => call(commentsApi.settings, {}, { signal }),
})

/** Switches comments on reports on or off for the whole installation, at once. */
export const CommentsSwitch = () => {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(commentSettingsQuery)
  const saving = useExclusiveMutation({
    mutationFn: (comentarios: boolean) => call(commentsApi.updateSettings, { body: { comentarios } }),
    onSuccess: (stored) => {
      client.setQueryData(commentSettingsQuery.queryKey, stored)
      // The rules above share its version.
      return client.invalidateQueries(securitySettingsQuery)
    },
  })
  useSuccessClose(saving.isSuccess, saving.reset)
  const shown = saving.isPending ? saving.variables : data?.comentarios
  return (
    <section className={shared.card} aria-labelledby="comentarios">
      <h2 className={classes.label} id="comentarios">
        Comentários
      </h2>
      {shown !== undefined ? (
        <Switch
          label="As pessoas comentam relatórios"
          description="Vale na hora e para todos os relatórios; o cadastro de cada relatório também desliga os dele. Desligados, os comentários ficam guardados e ninguém os lê."
          checked={shown}
          onChange={({ currentTarget }) => saving.mutate(currentTarget.checked)}
        />
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={44} />
      )}
      <ErrorAlert error={saving.error} />
      <p className={shared.smallNote} role="status">
        {saving.isSuccess && (saving.data.comentarios ? 'Comentários ligados.' : 'Comentários desligados.')}
      </p>
    </section>
  )
}
