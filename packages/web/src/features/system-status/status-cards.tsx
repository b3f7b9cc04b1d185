import type { ExpiryStatus, SystemStatus } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { dayText, fullTime } from '../../lib/text/relative-time.ts'
import shared from '../../ui/shared.module.css'
import { MailCard } from './mail-card.tsx'
import { Facts, StatusCard, StatusList, type StatusRow } from './status-card.tsx'
import { bytesText, queueNames, uptimeText } from './status-text.ts'
import classes from './system-status.module.css'

/** The cards of all items, in two columns on wide screens. */
export const StatusCards = ({ status }: { status: SystemStatus }) => (
  <div className={classes.columns}>
    <div className={classes.column}>
      <NodeCard no={status.no} />
      <DatabaseCard banco={status.banco} />
      <StorageCard disco={status.disco} />
      <BackupCard copia={status.copiaSeguranca} />
      <QueuesCard filas={status.filas} />
    </div>
    <div className={classes.column}>
      <MailCard email={status.email} />
      {status.servicoRelatorios && <ReportServiceCard service={status.servicoRelatorios} />}
      <ConnectionsCard conexoes={status.conexoes} />
      <StatusCard section="certificados" item={status.certificados}>
        {status.certificados.lista.length > 0 && (
          <StatusList label="Certificados" rows={status.certificados.lista.map(expiryRow)} />
        )}
      </StatusCard>
      <StatusCard section="segredos" item={status.segredos}>
        {status.segredos.lista.length > 0 && (
          <StatusList label="Segredos que vencem" rows={status.segredos.lista.map(expiryRow)} />
        )}
      </StatusCard>
    </div>
  </div>
)

const NodeCard = ({ no }: Pick<SystemStatus, 'no'>) => (
  <section className={classes.card} aria-labelledby="portal-titulo">
    <header className={classes.cardHeader}>
      <h2 id="portal-titulo" className={shared.heading}>
        Portal
      </h2>
    </header>
    <Facts
      rows={[
        ['Versão', no.versao],
        ['Node.js', no.versaoNode],
        ['Nó', no.nome],
        ['No ar desde', fullTime(no.iniciadoEm)],
        ['Tempo no ar', uptimeText(no.segundosNoAr)],
      ]}
    />
  </section>
)

const DatabaseCard = ({ banco }: Pick<SystemStatus, 'banco'>) => (
  <StatusCard section="banco" item={banco}>
    <Facts
      rows={[
        ['Tipo', banco.tipo === 'postgresql' ? 'PostgreSQL' : 'Embutido'],
        ['Versão', banco.versao ?? undefined],
        ['Tamanho', bytesText(banco.tamanhoBytes)],
        [
          'Resposta',
          banco.respostaMs === null ? undefined : `${banco.respostaMs.toLocaleString('pt-BR')} ms`,
        ],
        ['Última migração', banco.ultimaMigracao ?? undefined],
        ['Aplicada em', banco.ultimaMigracaoEm ? fullTime(banco.ultimaMigracaoEm) : undefined],
      ]}
    />
  </StatusCard>
)

const StorageCard = ({ disco }: Pick<SystemStatus, 'disco'>) => {
  const { livreBytes, totalBytes } = disco
  const used = livreBytes !== null && totalBytes ? 1 - livreBytes / totalBytes : undefined
  return (
    <StatusCard section="disco" item={disco}>
      {used !== undefined && (
        <div className={classes.meter} data-state={disco.estado} aria-hidden>
          <div style={{ width: `${(used * 100).toFixed(1)}%` }} />
        </div>
      )}
      <Facts
        rows={[
          ['Livre', `${bytesText(livreBytes)} de ${bytesText(totalBytes)}`],
          ['MIN_FREE_MB', bytesText(disco.minimoBytes)],
          ['DATA_DIR', disco.pasta],
        ]}
      />
    </StatusCard>
  )
}

const BackupCard = ({ copia }: { copia: SystemStatus['copiaSeguranca'] }) => (
  <StatusCard section="copiaSeguranca" item={copia}>
    <Facts
      rows={[
        ['Última', copia.ultimaEm ? fullTime(copia.ultimaEm) : 'Nunca'],
        ['Destino', copia.destino ?? undefined],
        ['Restauração testada', copia.verificada === null ? undefined : copia.verificada ? 'Sim' : 'Não'],
        ['Em andamento desde', copia.emAndamentoDesde ? fullTime(copia.emAndamentoDesde) : undefined],
      ]}
    />
  </StatusCard>
)

const ReportServiceCard = ({ service }: { service: NonNullable<SystemStatus['servicoRelatorios']> }) => (
  <StatusCard section="servicoRelatorios" item={service}>
    <Facts rows={[['Endereço', service.endereco]]} />
  </StatusCard>
)

const ConnectionsCard = ({ conexoes }: Pick<SystemStatus, 'conexoes'>) => (
  <StatusCard section="conexoes" item={conexoes}>
    {conexoes.lista.length > 0 && (
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
    )}
    {conexoes.total > conexoes.lista.length && (
      <p className={shared.note}>
        E mais {(conexoes.total - conexoes.lista.length).toLocaleString('pt-BR')}, na lista de Powerbis.
      </p>
    )}
  </StatusCard>
)

const QueuesCard = ({ filas }: Pick<SystemStatus, 'filas'>) => (
  <StatusCard section="filas" item={filas}>
    {filas.lista.length > 0 && (
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
    )}
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
