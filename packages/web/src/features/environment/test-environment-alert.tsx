import type { Environment } from '@bi-manager/contract'
import { Alert, Button, Modal, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { clockName, fullTime } from '../../lib/text/relative-time.ts'
import classes from './environment.module.css'
import { environmentQuery, releaseEnvironment } from './environment-queries.ts'

interface TestEnvironmentAlertProps {
  ensaio: NonNullable<Environment['ensaio']>
}

/** Shows that e-mails are held back, and lets an ADMIN declare the environment production. */
const TestEnvironmentAlert = ({ ensaio }: TestEnvironmentAlertProps) => {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const releasing = useMutation({
    mutationFn: releaseEnvironment,
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
        <p className={classes.text}>
          Os dados são da cópia de {fullTime(copiaDe)} ({clockName}). Nenhum e-mail é enviado e nenhuma cópia
          agendada é feita.
        </p>
        <Button variant="default" className={classes.release} onClick={() => setAsking(true)}>
          Este é o ambiente de produção: liberar e-mails
        </Button>
      </Alert>
      <Modal
        opened={isAsking}
        onClose={() => !releasing.isPending && setAsking(false)}
        title="Liberar os e-mails?"
        centered
        withCloseButton={false}
      >
        <Text size="sm">
          E-mails à espera: {emailsRetidos}. Eles saem em seguida, e alguns podem já ter chegado antes da
          restauração. As cópias agendadas voltam. Confirme só se este ambiente substitui o de produção.
        </Text>
        {releasing.error && (
          <Alert color="red" role="alert" mt="sm">
            {messageOf(releasing.error)}
          </Alert>
        )}
        <div className={classes.answers}>
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
      </Modal>
    </>
  )
}

export default TestEnvironmentAlert
