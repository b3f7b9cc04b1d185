import { type Environment, environmentApi } from '@bi-manager/contract'
import { Alert, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { clockName, fullTime } from '../../lib/text/relative-time.ts'
import { Button } from '../../ui/button.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import classes from './environment.module.css'
import { environmentQuery } from './environment-queries.ts'

interface TestEnvironmentAlertProps {
  ensaio: NonNullable<Environment['ensaio']>
}

/** Shows that e-mails are held back, and lets an ADMIN declare the environment production. */
const TestEnvironmentAlert = ({ ensaio }: TestEnvironmentAlertProps) => {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const releasing = useExclusiveMutation({
    mutationFn: () => call(environmentApi.release, {}),
    networkMode: 'always',
    onSuccess: (environment) => client.setQueryData(environmentQuery.queryKey, environment),
  })
  const { copiaDe, emailsRetidos } = ensaio
  return (
    <>
      <Alert
        color="yellow"
        icon={<IconFlask aria-hidden />}
        title="Ambiente de ensaio, restaurado de uma cópia"
        className={classes.alert}
      >
        <Text mb="0.75rem">
          Os dados são da cópia de {fullTime(copiaDe)} ({clockName}). Nenhum e-mail é enviado e nenhuma cópia
          agendada é feita.
        </Text>
        <Button variant="default" className={classes.release} onClick={() => setAsking(true)}>
          Este é o ambiente de produção: liberar e-mails
        </Button>
      </Alert>
      <Dialog
        opened={isAsking}
        onClose={() => !releasing.isPending && setAsking(false)}
        title="Liberar os e-mails?"
      >
        <Text size="sm">
          E-mails à espera: {emailsRetidos}. Eles saem em seguida, e alguns podem já ter chegado antes da
          restauração. As cópias agendadas voltam. Confirme só se este ambiente substitui o de produção.
        </Text>
        <ErrorAlert error={releasing.error} mt="sm" />
        <div className={dialog.answers}>
          <Button
            variant="default"
            data-autofocus
            disabled={releasing.isPending}
            onClick={() => setAsking(false)}
          >
            Não, é um ensaio
          </Button>
          <Button loading={releasing.isPending} onClick={() => releasing.mutate()}>
            Sim, liberar
          </Button>
        </div>
      </Dialog>
    </>
  )
}

export default TestEnvironmentAlert
