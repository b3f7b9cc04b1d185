import type { SystemStatus } from '@bi-manager/contract'
import { Alert, Button } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../../lib/api/api.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { Facts, StatusCard, StatusList } from './status-card.tsx'
import { mailName, outcomeNames } from './status-text.ts'
import classes from './system-status.module.css'
import { sendTestMail, systemStatusKey } from './system-status-queries.ts'

export const MailCard = ({ email }: { email: SystemStatus['email'] }) => (
  <StatusCard section="email" item={email} action={<TestMail />}>
    <Facts
      rows={[
        [email.modo === 'smtp' ? 'Servidor' : 'Pasta', email.destino],
        ['Aguardando', email.aguardando.toLocaleString('pt-BR')],
        ['Mais antigo', email.maisAntigaEm ? fullTime(email.maisAntigaEm) : undefined],
        ['Última entrega', email.ultimaEntregaEm ? fullTime(email.ultimaEntregaEm) : 'Nenhuma ainda'],
        ['Falhando desde', email.falhandoDesde ? fullTime(email.falhandoDesde) : undefined],
      ]}
    />
    {email.falhas.length > 0 && (
      <>
        <h3 className={classes.listTitle}>Falhas recentes</h3>
        <StatusList
          label="Falhas recentes"
          rows={email.falhas.map(({ em, modelo, codigo, frase, desfecho }, index) => ({
            key: `${em} ${index}`,
            estado: desfecho === 'entregue' ? 'ok' : desfecho === 'desistiu' ? 'falha' : 'atencao',
            title: mailName(modelo),
            aside: fullTime(em),
            text: `${frase} ${outcomeNames[desfecho]}. Código: ${codigo}.`,
          }))}
        />
      </>
    )}
  </StatusCard>
)

/** 'Enviar teste': sends an e-mail to the ADMIN's own address. */
const TestMail = () => {
  const client = useQueryClient()
  const sending = useMutation({
    mutationFn: sendTestMail,
    networkMode: 'always',
    onSettled: () => client.invalidateQueries({ queryKey: systemStatusKey }),
  })
  const result = sending.data
  return (
    <div className={classes.test}>
      <div role="status" className={classes.testResult}>
        {result && (
          <Alert
            color={result.entregue ? 'teal' : 'red'}
            title={result.entregue ? 'Entregue' : 'Não entregue'}
          >
            {result.frase}
            {result.codigo && ` Código: ${result.codigo}.`}
          </Alert>
        )}
      </div>
      {sending.error && (
        <Alert color="red" role="alert">
          {messageOf(sending.error)}
        </Alert>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<IconMailForward size={18} aria-hidden />}
          loading={sending.isPending}
          onClick={() => sending.mutate()}
        >
          Enviar teste
        </Button>
      </div>
    </div>
  )
}
