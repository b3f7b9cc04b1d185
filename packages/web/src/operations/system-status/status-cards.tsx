import { type ExpiryStatus, type SystemStatus, systemStatusApi } from '@bi-manager/contract'
import { Alert, Anchor, Box, Stack } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { dayText, fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { StatusCard, StatusList, type StatusRow } from './status-card.tsx'
import { bytesText, differenceText, mailName, outcomeNames, queueNames, uptimeText } from './status-text.ts'
import classes from './system-status.module.css'
import { systemStatusKey } from './system-status-queries.ts'

/** The cards of all items, in two columns on wide screens. */
export const StatusCards = ({ status }: { status: SystemStatus }) => (
  <div className={classes.columns}>
    <div className={`${shared.stackLg} ${classes.column}`}>
      <NodeCard no={status.no} />
      <DatabaseCard banco={status.banco} />
      <StatusCard
        section="relogio"
        item={status.relogio}
        facts={[['Diferença deste nó', differenceText(status.relogio.diferencaMs)]]}
      />
      <StorageCard disco={status.disco} />
      <BackupCard copia={status.copiaSeguranca} />
      <QueuesCard filas={status.filas} />
    </div>
    <div className={`${shared.stackLg} ${classes.column}`}>
      <MailCard email={status.email} />
      {status.servicoRelatorios && (
        <StatusCard
          section="servicoRelatorios"
          item={status.servicoRelatorios}
          facts={[['Endereço', status.servicoRelatorios.endereco]]}
        />
      )}
      <ConnectionsCard conexoes={status.conexoes} />
      <StatusCard section="certificados" item={status.certificados}>
        <StatusList label="Certificados" rows={status.certificados.lista.map(expiryRow)} />
      </StatusCard>
      <StatusCard section="segredos" item={status.segredos}>
        <StatusList label="Segredos que vencem" rows={status.segredos.lista.map(expiryRow)} />
      </StatusCard>
    </div>
  </div>
)

const NodeCard = ({ no }: Pick<SystemStatus, 'no'>) => (
  <StatusCard
    section="no"
    facts={[
      ['Versão', no.versao],
      ['Node.js', no.versaoNode],
      ['Nó', no.nome],
      ['No ar desde', fullTime(no.iniciadoEm)],
      ['Tempo no ar', uptimeText(no.segundosNoAr)],
    ]}
  />
)

const DatabaseCard = ({ banco }: Pick<SystemStatus, 'banco'>) => (
  <StatusCard
    section="banco"
    item={banco}
    facts={[
      ['Tipo', banco.tipo === 'postgresql' ? 'PostgreSQL' : 'Embutido'],
      ['Versão', banco.versao ?? undefined],
      ['Tamanho', bytesText(banco.tamanhoBytes)],
      ['Resposta', banco.respostaMs === null ? undefined : `${banco.respostaMs.toLocaleString('pt-BR')} ms`],
      ['Última migração', banco.ultimaMigracao ?? undefined],
      ['Aplicada em', banco.ultimaMigracaoEm ? fullTime(banco.ultimaMigracaoEm) : undefined],
    ]}
  />
)

const StorageCard = ({ disco }: Pick<SystemStatus, 'disco'>) => {
  const { livreBytes, totalBytes } = disco
  const used = livreBytes !== null && totalBytes ? 1 - livreBytes / totalBytes : undefined
  return (
    <StatusCard
      section="disco"
      item={disco}
      facts={[
        ['Livre', `${bytesText(livreBytes)} de ${bytesText(totalBytes)}`],
        ['MIN_FREE_MB', bytesText(disco.minimoBytes)],
        ['DATA_DIR', disco.pasta],
      ]}
    >
      {used !== undefined && (
        <div className={classes.meter} data-state={disco.estado} aria-hidden>
          <div style={{ width: `${(used * 100).toFixed(1)}%` }} />
        </div>
      )}
    </StatusCard>
  )
}

const BackupCard = ({ copia }: { copia: SystemStatus['copiaSeguranca'] }) => (
  <StatusCard
    section="copiaSeguranca"
    item={copia}
    facts={[
      ['Última', copia.ultimaEm ? fullTime(copia.ultimaEm) : 'Nunca'],
      ['Destino', copia.destino ?? undefined],
      ['Restauração testada', copia.verificada === null ? undefined : copia.verificada ? 'Sim' : 'Não'],
      ['Em andamento desde', copia.emAndamentoDesde ? fullTime(copia.emAndamentoDesde) : undefined],
    ]}
  />
)

const ConnectionsCard = ({ conexoes }: Pick<SystemStatus, 'conexoes'>) => (
  <StatusCard section="conexoes" item={conexoes}>
    <StatusList
      label="Conexões de BI"
      rows={conexoes.lista.map(({ idPowerBI, nome, estado, frase, testadaEm }) => ({
        key: idPowerBI,
        estado,
        title: <PageLink to={`/Registerpowerbi/${idPowerBI}`}>{nome}</PageLink>,
        aside: testadaEm ? fullTime(testadaEm) : 'Nunca testada',
        text: frase,
      }))}
    />
    {conexoes.total > conexoes.lista.length && (
      <p className={shared.note}>
        E mais {(conexoes.total - conexoes.lista.length).toLocaleString('pt-BR')}, na lista de Powerbis.
      </p>
    )}
  </StatusCard>
)

const QueuesCard = ({ filas }: Pick<SystemStatus, 'filas'>) => (
  <StatusCard section="filas" item={filas}>
    <StatusList
      label="Trabalhos em espera"
      rows={filas.lista.map(({ fila, estado, frase, aguardando }) => ({
        key: fila,
        estado,
        title: queueNames[fila],
        aside: aguardando.toLocaleString('pt-BR'),
        text: frase,
      }))}
    />
  </StatusCard>
)

const expiryRow = ({ nome, origem, rota, estado, frase, venceEm }: ExpiryStatus): StatusRow => ({
  key: origem,
  estado,
  title: rota ? <PageLink to={rota}>{nome}</PageLink> : nome,
  aside: venceEm ? dayText(venceEm) : undefined,
  text: frase,
})

const PageLink = ({ to, children }: { to: string; children: string }) => (
  <Anchor component={Link} to={to} className={classes.link}>
    {children}
  </Anchor>
)

const MailCard = ({ email }: { email: SystemStatus['email'] }) => (
  <StatusCard
    section="email"
    item={email}
    facts={[
      [email.modo === 'smtp' ? 'Servidor' : 'Pasta', email.destino],
      ['Aguardando', email.aguardando.toLocaleString('pt-BR')],
      ['Mais antigo', email.maisAntigaEm ? fullTime(email.maisAntigaEm) : undefined],
      [
        email.modo === 'smtp' ? 'Última entrega' : 'Último arquivo',
        email.ultimaEntregaEm ? fullTime(email.ultimaEntregaEm) : '—',
      ],
      ['Falhando desde', email.falhandoDesde ? fullTime(email.falhandoDesde) : undefined],
    ]}
    below={
      <>
        {email.falhas.length > 0 && <RecentFailures falhas={email.falhas} />}
        <TestMail />
      </>
    }
  />
)

const RecentFailures = ({ falhas }: Pick<SystemStatus['email'], 'falhas'>) => (
  <>
    <Box component="h3" fz="sm" mt={4} mb={-6}>
      Falhas recentes
    </Box>
    <StatusList
      label="Falhas recentes"
      rows={falhas.map(({ em, modelo, codigo, frase, desfecho }, index) => ({
        key: `${em} ${index}`,
        estado: desfecho === 'entregue' ? 'ok' : desfecho === 'desistiu' ? 'falha' : 'atencao',
        title: mailName(modelo),
        aside: fullTime(em),
        text: `${frase} ${outcomeNames[desfecho]}. Código: ${codigo}.`,
      }))}
    />
  </>
)

/** 'Enviar teste': sends an e-mail to the ADMIN's own address. */
const TestMail = () => {
  const client = useQueryClient()
  const sending = useExclusiveMutation({
    mutationFn: () => call(systemStatusApi.testMail),
    onSettled: () => client.invalidateQueries({ queryKey: systemStatusKey }),
  })
  const result = sending.data
  return (
    <Stack gap="0.875rem">
      <div role="status">
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
      <ErrorAlert error={sending.error} />
      <div>
        <ActionButton
          icon={IconMailForward}
          label="Enviar teste"
          loading={sending.isPending}
          onClick={() => sending.mutate()}
        />
      </div>
    </Stack>
  )
}
