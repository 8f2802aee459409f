"""States by which a brief selects ("unpaid", "offline"), and changes ("renamed"): what is so now, and was not. Tables, to be read as summarizing/relevance/kinds.py says; refuses everything but words."""

# --- States of business: payment, stock, delivery, bookings ---------------------------------------------

_STATES_OF_BUSINESS = """
unpaid unsettled unbilled owing impago impaga unbezahlt unbezahlten unbeglichen impayé impayée due
    overdue outstanding owed arrears dunned reminder delinquent uncollected chased reminded offen fällig
    überfällig gemahnt mahnung rückstand rückständig relance arriéré pendiente vencida moroso adeudado

outstanding overdue arrears owed delinquent überfällig ausstehend rückständig vencido vencida moroso morosa
    unpaid unsettled reminder dunned lapsed collection bailiff surcharge owes unbezahlt mahnung gemahnt verzug
    säumig impayé relance arriéré impago atrasado

paid settled bezahlt bezahlten beglichen payé pagado pagada
    cleared received remitted credited collected discharged reconciled reimbursed redeemed amortised
    eingegangen gutgeschrieben überwiesen quittiert acquitté encaissé réglé abonado liquidado cobrado saldado

refunded reimbursed erstattet remboursé remboursée reembolsado
    chargeback returned credited repaid reversed rebate compensated voucher gutschrift rückzahlung
    gutgeschrieben avoir devuelto abonado

prepaid upfront vorausbezahlt prépayé prepagado
    deposit advance retainer downpayment beforehand booked anzahlung vorkasse vorauskasse acompte arrhes
    anticipo adelantado

free complimentary gratis kostenlos kostenlose kostenfrei gratuit gratuito gratuita
    waived costless included sponsored donated unpriced unentgeltlich umsonst gebührenfrei inklusive offert
    sponsorisé incluido regalado

expensive costly teuer teure chère caro
    premium luxury pricey exorbitant unaffordable overpriced steep surcharge dearest kostspielig hochpreisig
    coûteux onéreux costoso

cheap inexpensive affordable billig günstig economical barato barata
    bargain discounted reduced budget lowest cheapest thrifty clearance rabattiert preiswert ermäßigt
    abordable soldé rebajado económico

underfunded bankrupt insolvent pleite zahlungsunfähig défaillant quebrado
    deficit bankruptcy insolvency liquidation liquidated receivership foreclosed default collapsed konkurs
    insolvenz überschuldet faillite endetté quiebra concurso endeudado

profitable lucrative rentabel rentable gewinnbringend
    profit surplus earned gained yielded margin black überschuss gewinn bénéfice excédent beneficio superávit
    ganancia

sold vendu vendido vendida verkauft verkauften
    purchaser bought buyer auctioned hammer acquired versteigert erworben acquis adjugé adquirido subastado

unsold leftover unverkauft invendu
    remaining surplus unclaimed withdrawn passed remaindered relisted reoffered ladenhüter restbestand übrig
    sobrante excedente

traded exchanged transferred getauscht échangé intercambiado verkauft
    swapped signed bartered acquired dealt filled executed waived moved gehandelt gewechselt verpflichtet
    recruté fichado traspasado

available stocked lieferbar vorrätig verfügbar disponible
    ready onhand plentiful obtainable shelf warehouse immediate abundant restocked verkäuflich auflager
    existencias surtido

unavailable depleted ausverkauft vergriffen épuisé épuisée agotado agotada scarce
    backorder empty exhausted reorder shortage zero discontinued nachbestellt nachlieferung lieferengpass
    fehlbestand leer rupture pénurie manquant escasez faltante

ordered commissioned bestellt commandé commandée pedido encargado
    requisitioned booked preordered reserved awaiting backorder po vorbestellt beauftragt prévu solicitado
    encomendado

shipped dispatched sent versandt versendet verschickt expédié expédiée envoyé enviado enviada
    transit carrier tracking courier posted forwarded mailed unterwegs übergeben zugestellt transporteur remis
    camino despachado

delivered received geliefert zugestellt livré livrée entregado entregada
    arrived signed collected accepted recipient doorstep eingetroffen angekommen erhalten empfangen reçu remis
    recibido llegado

undelivered undeliverable unzustellbar nichtzugestellt
    returned refused bounced lost failed unclaimed stranded retoure annahmeverweigerung zurückgeschickt
    verloren renvoyé perdu devuelto extraviado perdido

late delayed verspätet verspäteten verzögert retardé retardée tardif retrasado retrasada
    behind overdue overran slipped postponed held tardy queued stuck waiting überfällig rückstand verschoben
    ausstehend repoussé attente atrasado demorado

punctual early pünktlich ponctuel puntual
    ontime timely schedule promptly ahead prompt planmäßig rechtzeitig fristgerecht vorzeitig avance prévu
    anticipado puntualmente

cancelled canceled annulliert abgesagt storniert annulé annulée cancelado cancelada
    void withdrawn scrapped aborted called revoked rescinded terminated refunded entfällt entfallen
    ausgefallen gestrichen zurückgezogen supprimé abandonné suspendido anulado

postponed rescheduled deferred adjourned verschoben vertagt reporté reportée différé aplazado aplazada
pospuesto
    delayed pushed shelved moved tabled shifted later until provisional neuer verlegt hinausgezögert
    zurückgestellt repoussé ajourné décalé retrasado reprogramado suspendido

scheduled planned upcoming geplant anstehend prévu programado programada previsto
    booked tomorrow forthcoming slated expected appointed calendar arranged terminiert angesetzt bevorstehend
    demnächst fixé futur prochain próximo

booked reserved taken reserviert gebucht réservée reservado reservada
    confirmed held occupied full allocated claimed earmarked belegt ausgebucht vergeben complet occupé
    completo ocupado

vacant unoccupied empty unfilled leer leerstehend vakant unbesetzt libre vide
    available free open advertised untenanted unlet vacancy recruiting hiring unbewohnt ausgeschrieben frei
    leerstand verwaist disponible vacía desocupado

occupied full inhabited belegt besetzt bewohnt occupé occupée ocupado ocupada
    taken tenant resident booked filled guest rented engaged capacity vermietet mieter ausgebucht complet loué
    alquilado completo
"""

# --- States of things: condition, lending, age, levels, safety ------------------------------------------

_STATES_OF_THINGS = """
broken damaged defective faulty kaputt beschädigt defekt cassé cassée endommagé roto dañado dañada averiado
averiada
    cracked shattered torn leaking bent burnt malfunctioning inoperative jammed ruined scratched unusable
    wrecked smashed zerbrochen gerissen verbogen undicht unbrauchbar abgebrochen fissuré fuit déchiré abîmé hs
    rajado agrietado estropeado inservible

unusable inoperable unserviceable inoperative unbrauchbar inutilisable inutilizable
    broken defective scrapped condemned failed ruined unrepairable wrecked irreparable kaputt defekt schrott
    verschrottet ausgemustert cassé rebut foutu estropeado desguace

repair fixing reparaturbedürftig reparieren reparatur réparer réparation reparar reparación
    broken damaged faulty defective cracked leaking worn malfunctioning overhaul workshop mechanic defekt
    kaputt undicht werkstatt cassé panne fuite roto dañado averiado taller

worn shabby dilapidated weathered abgenutzt verschlissen usée gastado gastada
    frayed faded threadbare corroded rusty peeling eroded tattered crumbling rotten bald verwittert
    ausgefranst rostig verblasst verrostet baufällig rouillé effiloché délabré oxidado deteriorado desgastado

intact undamaged flawless unbeschädigt unversehrt indemne intacto intacta
    mint pristine sound perfect spotless unscathed unharmed immaculate neuwertig einwandfrei tadellos makellos
    impeccable parfait impecable perfecto ileso

functional operational funktionsfähig funktionierend fonctionnel operativo funcional functioning
    operates running serviceable passed restored intakt einsatzbereit betriebsbereit funktioniert marche
    opérationnel funciona intact healthy ok

restored mended repariert instandgesetzt réparé réparée reparado reparada restauriert refurbished
    fixed replaced patched overhauled serviced soldered welded reconditioned renewed behoben erneuert
    ausgetauscht remplacé rénové remis sustituido renovado arreglado

dirty contaminated polluted schmutzig verschmutzt verunreinigt pollué sucio sucia contaminado
    stained soiled greasy mouldy moldy dusty muddy filthy tainted clogged dreckig schimmel schimmelig fleckig
    ölig tache moisi souillé mancha moho manchado

clean spotless sauber propre limpio limpia
    washed disinfected sterilised sterilized sanitised rinsed wiped scrubbed polished gereinigt gewaschen
    desinfiziert steril nettoyé lavé désinfecté lavado desinfectado

missing lost absent vermisst fehlend verloren manquant perdu perdido perdida faltante disparu
    misplaced mislaid untraced unaccounted stolen disappeared gone vanished unlocated absence none fehlt
    verschwunden abhanden unauffindbar verschollen égaré introuvable falta extraviado desaparecido ausente

found recovered located gefunden aufgefunden retrouvé retrouvée encontrado encontrada hallado
    reappeared discovered traced spotted retrieved returned turned reclaimed wiedergefunden aufgetaucht
    entdeckt découvert récupéré recuperado localizado aparecido

stolen robbed gestohlen volé robado robada
    theft burglary thief missing looted burgled snatched pickpocket shoplifting entwendet diebstahl geklaut
    einbruch dérobé cambriolé hurtado sustraído

lent loaned borrowed ausgeliehen verliehen entliehen geliehen prêté emprunté prestado prestada
    borrower checkout due issued taken lender rented leihgabe leihfrist ausleihe entleiher emprunteur préstamo
    cedido

returned zurückgegeben zurückgebracht rendu devuelto devuelta
    restored reshelved refunded retoure rückgabe zurückgeschickt restitué rapporté reintegrado reembolsado
    reclaimed

donated gifted gespendet gestiftet donné offert donado donada
    donor bequest bequeathed endowed benefactor given bestowed presented spender stifter geschenk schenkung
    donateur cadeau donante regalo legado

rented let vermietet gemietet loué alquilado alquilada arrendado
    tenant lease landlord sublet occupant lessee monthly tenancy mieter mietvertrag pächter verpachtet
    locataire bail inquilino arrendatario

old ancient outdated alte alten vieux ancien ancienne viejo vieja antiguo antigua
    aged antique obsolete vintage oldest veteran historic legacy century archaic stale bejahrt veraltet betagt
    antik vétuste désuet antiquité añejo obsoleto

outdated obsolete stale veraltet überholt périmé périmée obsoleto obsoleta desactualizado
    superseded old legacy deprecated behind expired archaic outmoded unmaintained unpatched unchanged lagging
    altmodisch abgelaufen überarbeitungsbedürftig dépassé vieilli ancien antiguo caducado

new newest newly recent latest neu neue neuen neuer neueste nouveau nouvelle nuevo nueva reciente
    added introduced launched debut joined unveiled opened inaugurated arrived current fresh eingeführt frisch
    erstmals kürzlich hinzugefügt ajouté lancé récemment inauguré añadido lanzado estrenado

current valid gültig gültigen aktuell valable actuel actuelle vigente
    effective unexpired ongoing present renewed extended active nowadays applicable derzeit gegenwärtig
    verlängert laufend vigueur actuellement actualmente prorrogado

used secondhand preowned gebraucht usagé usagée usado usada
    refurbished worn mileage previous owner reconditioned vintage resale generalüberholt vorbesitzer
    aufgearbeitet occasion reconditionné reacondicionado segunda

hot overheated warm heiß überhitzt chaud surchauffé caliente sobrecalentado
    burning scorching boiling fever smoke melted glowing glühend kochend brennend brûlant bouillant ardiente
    hirviendo quemado

cold frozen kalt gefroren froid gelé frío congelado
    icy freezing chilled frost subzero ice chilly frostig eiskalt gekühlt vereist glacial givré helado hielo

high elevated excessive hoch hohe hohen erhöht überhöht élevé élevée haut excessif alto alta elevado excesivo
    exceeds exceeded above peak surpassed maximum beyond raised spike überschritten überschreitet gestiegen
    oberhalb dépassé supérieur supera superior encima

low insufficient inadequate niedrig niedrigen unzureichend gering geringe faible basse insuffisant bajo baja
insuficiente
    below deficient minimum lacking shortage beneath scarce depleted meagre unterschritten unterhalb mangel
    knapp inférieur manque dessous inferior debajo escaso

abnormal unusual anomalous ungewöhnlich auffällig anormal inhabituel anómalo inusual
    outlier anomaly deviation strange suspicious irregular unexpected spike odd outside abweichung ausreißer
    abweichend écart étrange desviación atípico extraño

normal usual regular gewöhnlich unauffällig habituel habitual
    within nominal stable standard typical ordinary expected average acceptable negative routine stabil
    durchschnittlich erwartungsgemäß conforme attendu esperado

dangerous unsafe hazardous gefährlich unsicher dangereux dangereuse peligroso peligrosa inseguro
    unstable toxic flammable explosive condemned injured collapse warning exposed slippery risk lethal giftig
    einsturzgefährdet entzündlich toxique instable inflammable tóxico inestable inflamable

safe secure harmless sicher ungefährlich inoffensif seguro segura inofensivo
    protected guarded shielded nontoxic fenced certified cleared stable benign geschützt gesichert
    unbedenklich protégé sécurisé protegido padded

accessible barrierefrei erreichbar accesible
    wheelchair ramp lift elevator handrail subtitles braille induction level rollstuhlgerecht aufzug stufenlos
    ascenseur fauteuil ascensor rampa silla

inaccessible impassable blocked unzugänglich unpassierbar gesperrt bloqué bloquée inaccesible intransitable
bloqueado
    steps stairs barricaded obstructed closed locked cut flooded fallen landslide snowed stufen treppe
    versperrt überflutet fermé escaliers coupé cortado cerrado escalones

closed shut geschlossen geschlossenen fermé fermée cerrado cerrada
    locked suspended shuttered sealed ceased boarded blocked shutdown disbanded dichtgemacht gesperrt
    stillgelegt eingestellt verriegelt clos cesse clausurado

open geöffnet ouvert abierto abierta offen offenen
    unlocked reopened welcoming accessible unsealed ajar admitting serving wiedereröffnet zugänglich eröffnet
    rouvert reabierto

locked sealed verschlossen verriegelt verrouillé verrouillée bloqueado cerrado
    padlock bolt lockout password latched barred abgeschlossen vorhängeschloss gesperrt versiegelt cadenas
    scellé candado sellado

abandoned derelict disused verlassen aufgegeben abandonné abandonnée abandonado abandonada
    deserted ruin overgrown neglected empty orphaned unmaintained uninhabited forsaken verfallen stillgelegt
    verwaist brachliegend désaffecté délaissé ruinas deshabitado

destroyed demolished ruined zerstört zerstörten abgerissen détruit destruido destruida demolido
    burned burnt collapsed razed wrecked gutted bombed wiped flattened obliterated abgebrannt eingestürzt
    niedergebrannt vernichtet rasé effondré incendié derribado arrasado derrumbado

perishable spoiled spoilt rotten verdorben pourri podrido estropeado
    mouldy moldy rancid stale decayed expired rotting discoloured schimmelig faulig ranzig ungenießbar moisi
    avarié rance moho pasado
"""

# --- States of systems: connection, health, runs, support, visibility -----------------------------------

_STATES_OF_SYSTEMS = """
unreachable offline disconnected unerreichbar getrennt injoignable déconnecté déconnectée inalcanzable
desconectado desconectada inaccesible
    down lost unresponsive timeout unavailable notready unknown silent gone unplugged heartbeat ausgefallen
    verbindungsabbruch indisponible coupé caído perdido inactivo

online reachable connected verbunden erreichbar connectée joignable conectado conectada
    responding alive reconnected responsive linked established paired joined associated ready angemeldet
    antwortet rejoint répond enlazado

down crashed stopped halted gestoppt abgestürzt arrêté arrêtée planté caído caída detenido detenida
    offline unreachable killed exited terminated outage hung aborted crashloopbackoff oomkilled unresponsive
    inactive shutdown beendet ausgefallen eingefroren indisponible muerto apagado

running active laufend aktiv actif activo activa
    started enabled alive serving online operating ongoing launched busy ready executing gestartet läuft
    angeschaltet démarré lancé iniciado ejecución encendido

inactive idle dormant inaktiv untätig inactif inactivo inactiva
    unused disabled asleep suspended paused stopped sleeping standby lapsed quiet hibernating unbenutzt ruhend
    stillgelegt veille inutilisé desactivado suspendido dormido

paused suspended halted pausiert ausgesetzt unterbrochen suspendu suspendido suspendida pausado
    stopped interrupted frozen stayed postponed adjourned idle angehalten stillgelegt eingefroren ruht
    interrompu gelé interrumpido congelado

unhealthy degraded impaired beeinträchtigt degradado
    notready crashloopbackoff unready oomkilled backoff warning errors throttled flapping evicted slow
    unstable pressure diskpressure memorypressure instabil störung gestört instable inestable lento

healthy stable gesund stabil sain sano sana estable
    ready passing recovered succeeded nominal fit green operational ok unimpaired fehlerfrei bereit genesen
    rétabli recuperado

failed unsuccessful fehlgeschlagen fehlgeschlagenen gescheitert échoué échouée fallido fallida fracasado
    aborted crashed timeout exit nonzero fatal rejected flunked errored broken traceback red unable
    abgebrochen erfolglos misslungen échec impossible avorté fracaso abortado

succeeded successful passed erfolgreich bestanden gelungen réussi exitoso exitosa aprobado superado
    completed green achieved finished accomplished ok won fulfilled gelöst geschafft geglückt abgeschlossen
    abouti logrado conseguido éxito

blocked stuck blockiert festgefahren bloqué coincé bloqueado atascado
    waiting awaiting depends hung stalled deadlock jammed dependency impeded stopped halted unresolved hängt
    wartet klemmt attend espera parado

slow sluggish langsam träge lent lento lenta
    latency timeout lag bottleneck degraded seconds stalled delayed overloaded unresponsive verzögert
    überlastet ruckelt ralenti surchargé retraso sobrecargado

enabled activated aktiviert eingeschaltet activé activée habilitado habilitada activado
    true allowed configured installed running angeschaltet zugelassen autorisé permitido encendido permitted

disabled deactivated deaktiviert abgeschaltet ausgeschaltet désactivé désactivée deshabilitado desactivado
    off false inactive blocked unset prohibited removed suspended gesperrt abgestellt éteint bloqué suspendu
    apagado inhabilitado

unsupported discontinued eol abgekündigt eingestellt descatalogado
    deprecated retired obsolete sunset unmaintained archived legacy longer withdrawn ended ausgelaufen
    veraltet abandonné arrêté obsoleto retirado abandonado

supported maintained unterstützt gewartet maintenu soportado mantenido
    lts compatible active patched receives available covered tested kompatibel gepflegt admite

deprecated veraltete discouraged déprécié obsolète obsoleto desaconsejado
    superseded replaced instead legacy sunset removal longer warning unsupported scheduled migrate abgekündigt
    ersetzt ausgemustert remplacé retiré reemplazado retirado

experimental unstable beta experimentell
    preview alpha prototype pilot trial draft early canary unfinished nightly provisional vorläufig erprobung
    testphase provisoire essai ensayo

unpatched vulnerable insecure angreifbar verwundbar ungepatcht
    exposed cve exploit unencrypted outdated weak default leaked compromised unauthenticated plaintext
    ungeschützt unsicher unverschlüsselt faille expuesto débil

encrypted protected verschlüsselt geschützt chiffré chiffrée cifrado cifrada protegido
    tls aes cipher password key hashed https masked guarded gpg passwort gesichert sécurisé contraseña clave

compromised hacked breached kompromittiert gehackt piraté comprometido hackeado
    leaked intruder malware stolen phished exposed attacker ransomware unauthorised unauthorized backdoor
    eingedrungen angreifer schadsoftware intrusion fuite intruso filtrado

hidden invisible versteckt unsichtbar ausgeblendet masqué oculto oculta
    concealed obscured unlisted covered disguised collapsed secret buried camouflaged masked verborgen getarnt
    verdeckt dissimulé escondido disimulado

visible displayed shown sichtbar angezeigt affiché mostrado
    appears revealed seen exposed highlighted prominent listed obvious erkennbar eingeblendet apparent montré
    aparece expuesto

public published öffentlich veröffentlicht publié publiée publique público pública publicado
    released disclosed open announced everyone available unrestricted posted frei bekanntgegeben allgemein
    accessible divulgué divulgado

private confidential secret restricted vertraulich geheim privé privée confidentiel confidencial privado
privada secreto
    internal sensitive classified undisclosed nda withheld redacted anonymous personal intern nichtöffentlich
    personenbezogen gesperrt sensible reservado

empty blank null leer leeren vide vacío vacía
    none zero nothing unset unfilled missing nil void absent keine unausgefüllt ohne aucun néant ninguno nada

full overloaded overflowing voll vollen überlastet überfüllt plein lleno llena saturado
    exhausted capacity exceeded saturated crowded maxed booked overcrowded ausgelastet erschöpft randvoll
    bondé débordé colmado abarrotado

unused redundant spare ungenutzt unbenutzt überflüssig inutilisé inutilisée sobrante inutilizado
    idle unneeded superfluous leftover dormant orphaned unclaimed surplus extra unreferenced verwaist übrig
    brachliegend superflu ocioso innecesario

duplicate repeated doppelt dupliziert doublon répété duplicado duplicada repetido
    twice copy identical same already redundant recurring zweimal mehrfach identisch erneut identique deux
    idéntico copia
"""

# --- States of work: completion, correctness, approval, urgency, need -----------------------------------

_STATES_OF_WORK = """
pending open unfinished incomplete outstanding ausstehend unerledigt offen unfertig inachevé pendiente
inacabado
    todo waiting awaiting unresolved ongoing queued remaining started tbd backlog undone progress underway
    unbearbeitet läuft wartet begonnen attente espera

completed finished done closed abgeschlossen erledigt fertig terminé terminée achevé terminado terminada
completado acabado
    delivered accomplished concluded resolved finalised finalized ended fulfilled implemented merged shipped
    wrapped beendet vollendet umgesetzt vollständig accompli fini concluido finalizado hecho

ongoing underway begun started laufend begonnen angefangen entamé iniciado comenzado
    progress current active continuing halfway partly wip bearbeitung arbeitet teilweise avance partiel marcha

incomplete partial unvollständig lückenhaft partiel incompleto incompleta parcial
    missing gaps draft absent lacking blank unfilled truncated half stub partially fehlt fehlende teilweise
    abgebrochen manque lacune falta faltan

complete entire vollständig lückenlos completo completa íntegro
    every comprehensive whole everything thorough exhaustive fully included enclosed sämtliche umfassend
    lückenlose intégral exhaustif entero

wrong incorrect inaccurate erroneous falsch falschen fehlerhaft faux fausse erroné incorrecto incorrecta
erróneo
    mistake mistaken error misspelt misprint contradicts inconsistent typo mismatch miscalculated false irrtum
    irrtümlich tippfehler abweichung erreur inexact contradiction equivocado errata discrepancia

correct accurate richtig korrekt zutreffend exact correcto correcta exacto
    verified true confirmed matches valid proven checked consistent precise bestätigt stimmt geprüft
    fehlerfrei vrai cierto verificado

corrected rectified korrigiert berichtigt corrigé corrigée corregido corregida
    erratum fixed amended revised correction errata resolved reads adjusted berichtigung behoben rectificado
    enmendado subsanado

disputed contested controversial umstritten strittig contestée controversé disputado polémico
    objected appeal challenged conflicting denies argued doubt contradicted complaint quarrel bestritten
    angefochten widersprochen zweifel désaccord litige desacuerdo cuestionado impugnado

agreed unanimous consensual einig vereinbart einvernehmlich convenu unanime acordado acordada
    consensus consent accepted endorsed signed settled unanimously concur einstimmig zugestimmt
    übereinstimmend unanimité aceptado conforme

approved authorised authorized accepted granted genehmigt genehmigten bewilligt angenommen approuvé approuvée
autorisé accordé aprobado aprobada autorizado concedido
    permitted ratified endorsed cleared consented sanctioned adopted greenlit licensed zugestimmt freigegeben
    erlaubt gestattet bestätigt validé permis adoptado firmado

rejected refused declined denied abgelehnt abgelehnten verweigert verworfen rejeté rejetée refusée rechazado
rechazada denegado denegada
    dismissed vetoed turned disapproved overruled disallowed unsuccessful defeated returned failed
    zurückgewiesen ablehnung abgewiesen débouté écarté desestimado negado

unapproved unauthorised unauthorized ungenehmigt unbefugt unerlaubt illicite desautorizado
    without permission awaiting illegal pending unlicensed unsigned breach eigenmächtig ausstehend schwarzbau
    genehmigung permiso autorisation clandestin ilegal

undecided unresolved unclear unentschieden ungeklärt unklar indécis indeciso irresuelto
    tbd tbc open debate unsettled question pending depends whether tied deferred offen vertagt strittig
    reporté pendiente

unassigned unclaimed ownerless unzugewiesen herrenlos asignar
    nobody none tbd vacant open volunteer unowned unallocated niemand offen freiwillige gesucht personne
    volontaire nadie voluntario

assigned allocated zugewiesen zugeteilt attribué attribuée asignado asignada
    takes tasked delegated entrusted nominated charge responsible übernimmt zuständig beauftragt betraut
    encargado

required mandatory compulsory obligatory pflicht verpflichtend erforderlich vorgeschrieben obligatoire requis
obligatorio obligatoria requerido
    shall necessary essential indispensable prerequisite imposed müssen notwendig zwingend unerlässlich exigé
    nécessaire imprescindible exigido needed

optional voluntary freiwillig wahlweise facultatif facultative facultativo voluntario opcional
    choose choice recommended discretionary elective extra suggested unneeded möglich beliebig empfohlen choix
    possible elegir recomendado

urgent critical pressing dringend dringenden eilig pressant
    immediately asap emergency blocker escalated p0 p1 today sofort umgehend notfall unverzüglich
    immédiatement critique immédiat inmediatamente emergencia crítico

minor trivial unimportant geringfügig unwichtig mineur menor insignificante
    cosmetic low negligible p3 p4 small nitpick marginal harmless typo klein kleinigkeit kosmetisch anodin
    cosmétique leve

important major significant essential wichtig wesentlich bedeutend majeur
    key critical crucial vital principal main central grave priority entscheidend zentral erheblich essentiel
    primordial esencial fundamental

renewable verlängern erneuern renouveler renovar renewal erneuerung
    ends lapses soon renew upcoming until fällig ablauf läuft ausläuft échéance vence caduca

review überprüfen überprüfung prüfen réviser revoir revisar revisión
    awaiting doubtful unverified reviewer unchecked pending flagged draft comments outdated reassess ungeprüft
    offen entwurf klären relecture brouillon borrador dudoso

approval signoff absegnen bewilligung genehmigen approuver aprobar
    awaiting pending submitted draft unsigned proposed signature requested waiting board beantragt ausstehend
    entwurf eingereicht attente soumis brouillon pendiente presentado borrador countersign

replacement replaceable ersetzen austauschen auszutauschen remplacer reemplazar sustituir
    worn broken obsolete faulty damaged spare exhausted outdated failing verschlissen defekt kaputt veraltet
    cassé périmé gastado roto

verified confirmed tested certified bestätigt geprüft vérifiée verificado verificada confirmado probado
    checked validated proven audited authenticated inspected approved witnessed nachgewiesen zertifiziert
    beglaubigt validé comprobado certificado

unverified unconfirmed untested alleged unbestätigt ungeprüft ungetestet présumé
    rumour rumor reportedly claims apparently doubtful speculative unproven unknown supposedly allegedly
    angeblich vermutlich mutmaßlich gerücht allégué supuesto supuestamente
"""

# --- States of people and rights: validity, law, employment, health, membership -------------------------

_STATES_OF_PEOPLE_AND_RIGHTS = """
expired lapsed invalid abgelaufen abgelaufenen ungültig verfallen expirée périmé périmée caducado caducada
vencido
    ended elapsed terminated outdated void revoked notafter stale unrenewed overdue erloschen ausgelaufen
    überfällig dépassé échu expiró inválido caducó

ending auslaufend ablaufend
    until renew renewal soon notafter lapses remaining runs ablauf endet läuft gültig échéance renouvelable
    vence caduca

revoked withdrawn rescinded widerrufen zurückgezogen entzogen révoqué révoquée retiré revocado revocada
retirado
    cancelled void stripped annulled invalidated suspended repealed recalled overturned terminated aberkannt
    aufgehoben abrogé annulé derogado anulado

renewed extended prolonged verlängert erneuert renouvelé renouvelée prorrogado renovado
    until another further continues reissued extension additional rolled reappointed weitere verlängerung
    fortgesetzt reconduit nouvelle prórroga ampliado

void invalidated unwirksam nichtig nul nulo nula
    annulled invalid unenforceable rescinded overturned quashed struck unconstitutional revoked aufgehoben
    ungültig annulliert annulé caduc anulado inválido

illegal unlawful forbidden prohibited banned verboten rechtswidrig untersagt interdit prohibido prohibida
ilegal
    violates offence breach outlawed unlicensed criminal disallowed fined smuggled contraband counterfeit
    verstoß strafbar schmuggel infraction contravention clandestin infracción delito contrabando

legal lawful allowed permitted erlaubt zulässig gestattet autorisé permis permitido permitida lícito
    licensed authorised authorized admissible compliant legitimate tolerated complies dürfen genehmigt konform
    licite conforme puede autorizado entitled

noncompliant violating verstoßend nichtkonform nonconforme incumplido
    breach violation infringes exceeded ignored nonconformity finding neglected verstoß missachtet abweichung
    infraction manquement incumple infracción incumplimiento

guilty convicted condemned schuldig verurteilt coupable condamné condamnée culpable condenado condenada
    sentenced imprisonment jailed fined verdict prison pleaded punished hanged executed haft gefängnis
    bestraft peine emprisonné cárcel pena preso

acquitted innocent freigesprochen unschuldig acquitté absuelto inocente
    cleared exonerated dismissed released pardoned blameless vindicated overturned freispruch entlastet
    begnadigt relaxé gracié sobreseído liberado

arrested detained imprisoned verhaftet festgenommen inhaftiert arrêté détenu emprisonné detenido arrestado
preso
    custody jail prison captured handcuffed caught seized bail remand haft gefängnis untersuchungshaft
    capturado cárcel

employed hired engaged angestellt eingestellt beschäftigt embauché embauchée employée contratado contratada
empleado
    joined recruited appointed salaried payroll contract onboarding permanent vertrag antritt festangestellt
    recruté contrat incorporado nómina

unemployed jobless arbeitslos arbeitslose chômage desempleado desempleada parado
    laid redundant dismissed sacked lost seeking benefits fired welfare redundancy entlassen gekündigt
    arbeitsuchend licencié demandeur despedido paro

dismissed fired sacked redundant entlassen gefeuert licencié licenciée despedido despedida
    laid dismissal severance notice ousted axed removed redundancy layoff kündigung abfindung gekündigt
    renvoyé licenciement despido cesado

resigned departed quit retired zurückgetreten ausgeschieden pensioniert démissionné retraité dimitido jubilado
jubilada
    stepped leaving resignation pension farewell former successor stood abdicated vacated leaver rücktritt
    ruhestand verabschiedet ehemalig ancien dimisión renunció left

former previous ehemalig ehemaligen früher vormalig ancien ancienne précédent anterior antiguo exmiembro
    until formerly retired predecessor once previously longer deposed emeritus erstwhile einst einstige damals
    jadis autrefois antes entonces

temporary interim provisional vorübergehend befristet vorläufig temporaire provisoire temporal interino
    acting until pending caretaker seasonal stopgap substitute deputising weeks vertretung kommissarisch
    aushilfe remplaçant sustituto eventual

permanent lasting dauerhaft unbefristet définitif durable fijo definitivo
    forever indefinite indefinitely always perpetual lifelong irrevocable enduring ständig lebenslang immer
    perpétuel cdi siempre indefinido

absent away abwesend ausente entschuldigt
    leave sick holiday vacation excused apologies missing unexcused parental krank urlaub gefehlt fehlte congé
    maladie baja vacaciones excusado

present attending anwesend anwesenden asistente
    attendance quorum arrived participated joined appeared teilgenommen erschienen dabei participé assisté
    asistió acudió

sick ill unwell krank kranken erkrankt malade souffrant enfermo enferma
    fever infected suffering diagnosed hospitalised hospitalized symptoms bedridden cough weak ailing fieber
    infiziert leidet fièvre alité fiebre infectado padece

injured wounded hurt verletzt verletzten verwundet blessé blessée herido herida lesionado lesionada
    fracture sprained bruised broken bleeding hamstring ambulance concussion surgery gebrochen verstaucht
    verletzung entorse lésion esguince

recovered cured healed genesen geheilt guéri curado curada recuperado
    discharged recovery remission improved better fit survived negative released entlassen gesundet besserung
    rétabli sorti alta mejoró

dead deceased extinct tot tote toten verstorben gestorben morte décédé muerto muerta fallecido fallecida
    died killed perished buried funeral obituary drowned fallen executed widow starb begraben umgekommen
    beerdigt enterré tué défunt enterrado difunto

alive living surviving lebend lebendig überlebend vivant survivant vivo viva superviviente
    survivor escaped lives rescued saved breathing unharmed thriving überlebt gerettet survécu sauvé rescapé
    sobrevivió salvado

pregnant schwanger enceinte embarazada
    expecting pregnancy trimester prenatal antenatal maternity gestation midwife fetus foetus schwangerschaft
    mutterschutz grossesse embarazo gestación

married verheiratet mariée marié casado casada
    wed husband wife spouse groom couple ehefrau ehemann hochzeit épouse époux esposa esposo boda

single unmarried divorced widowed ledig geschieden verwitwet célibataire veuf soltero soltera divorciado viudo
    bachelor separated widower spinster unattached ex getrennt alleinstehend scheidung witwe seul séparé veuve
    separado viuda

endangered threatened bedroht gefährdet menacé menacée amenazado amenazada
    vulnerable declining rare extinction poached dwindling protected shrinking aussterben selten rückläufig
    disparition extinción raro declive

member registered enrolled angemeldet registriert inscrit inscrito inscrita registrado
    joined belongs subscribed affiliated admitted initiated sworn participant enlisted beigetreten aufgenommen
    zugehörig adhérent affilié afiliado ingresó

excluded expelled banned ausgeschlossen verbannt exclu expulsé expulsado expulsada excluido
    removed barred disqualified exiled suspended ousted blacklisted evicted struck blocked disqualifiziert
    gesperrt rausgeworfen banni desterrado vetado

loyal faithful treu fidèle leal
    allegiance devoted supporter sworn trusted steadfast obedient stands ergeben anhänger gefolgsmann dévoué
    serment juramento sirve

hostile unfriendly feindlich feindselig ennemie hostilidad
    attacks enemy rival hates aggressive opposed feud threatens ambush angriff verfeindet attaque ataca
    enemigo

owned belonging eigene gehörend gehörig possédé propriétaire poseído propio
    owner property holds title bought inherited acquired possession freehold besitzt eigentum gehört
    appartient détient pertenece posee

independent autonomous unabhängig selbständig selbstständig indépendant autonome independiente autónomo
    sovereign separate freelance standalone seceded own free breakaway freiberuflich eigenständig souverän
    souverain affranchi soberano

certified licensed qualified accredited zertifiziert zugelassen agréé certificado acreditado titulado
    diploma licence certificate iso tüv registered degree zeugnis zulassung prüfung diplôme licencia

winning victorious won siegreich gewonnen gagné vainqueur ganado victorioso
    beat victory champion triumph gold prevailed conquered sieg triumphiert victoire venció victoria

losing defeated lost verloren besiegt unterlegen perdant vaincu battu derrotado perdido vencido
    beaten relegated eliminated knocked surrendered conceded fell niederlage ausgeschieden abgestiegen défaite
    éliminé derrota eliminado

drawn tied unentschieden gleichstand nul égalité empatado empate
    draw level equal stalemate replay penalties overtime deadlock shared remis elfmeterschießen verlängerung
    prolongation penaltis prórroga

elected gewählt gewählten élu élue elegido elegida electo
    votes won majority sworn ballot appointed inaugurated mandate takes stimmen mehrheit wahl voix majorité
    votos mayoría

famous renowned popular berühmt bekannt beliebt célèbre connu populaire famoso famosa conocido
    celebrated legendary acclaimed bestselling known favourite favorite iconic prominent gefeiert weltbekannt
    réputé légendaire renombrado

rare scarce selten seltenen raro rara escaso
    unique uncommon seldom endangered few limited collectible hardly exclusive einzigartig kaum limitiert
    introuvable limitado

secretly covert verdeckt heimlich clandestin encubierto
    undercover disguise hidden spy alias unnoticed anonymous concealed unknown spion tarnung unbemerkt déguisé
    espion espía disfrazado
"""

# --- Changes --------------------------------------------------------------------------------------------

_CHANGES = """
changed modified altered amended revised geändert geänderten verändert changée modifiée cambiado cambiada
modificado modificada
    now instead previously formerly became updated replaced adjusted switched differs reworked turned jetzt
    nunmehr bisher stattdessen statt bislang neuerdings angepasst désormais auparavant maintenant devient
    ahora antes

unchanged constant unverändert gleichbleibend inchangé inchangée inalterado
    still remains same stays continues keeps stable unaffected bleibt weiterhin beibehalten toujours demeure
    sigue permanece mantiene

raised increased higher risen erhöht erhöhten gestiegen augmenté augmentée aumentado aumentada subido
    rose grew doubled tripled climbed gained boosted extended larger bumped angehoben verdoppelt steigt wuchs
    hausse relevé subió creció duplicado grows

lowered reduced decreased fallen gesenkt gesunken reduziert verringert réduit baissé diminué reducido reducida
disminuido bajado
    less fell dropped cut halved shrank declined fewer smaller slashed discounted weakened halbiert sinkt
    gekürzt weniger moins divisé redujo bajó menos recortado

renamed umbenannt umbenannten renommé renommée rebaptisé renombrado renombrada
    now formerly called known previously became alias rebranded titled instead heißt hieß vormals künftig
    ehemals appelé anciennement devient désormais llama antes ahora

moved relocated transferred verlegt verschoben umgezogen déplacé déplacée déménagé trasladado trasladada
movido mudado
    now formerly relocation shifted migrated previously premises elsewhere left rehoused instead jetzt neuer
    umzug nunmehr bisher désormais nouvelle transfert ahora traslado nueva

removed deleted eliminated entfernt entfernten gelöscht supprimé supprimée enlevé retiré eliminado eliminada
borrado suprimido
    longer dropped gone anymore discarded purged stripped abolished withdrawn scrapped cut erased entfällt
    gestrichen weggefallen abgeschafft ausgebaut disparu abrogé quitado desaparece

added introduced hinzugefügt eingeführt ergänzt ajouté ajoutée introduit añadido añadida agregado introducido
    now additional joined extended supports gained inserted included brings extra neu nunmehr zusätzlich
    aufgenommen erweitert nouveau désormais supplémentaire nuevo incorporado adicional

replaced superseded substituted ersetzt ersetzten abgelöst ausgetauscht remplacé remplacée reemplazado
reemplazada sustituido
    instead now successor formerly swapped supplants previously exchanged obsolete takes statt stattdessen
    anstelle nachfolger désormais place successeur lugar vez sucesor

updated upgraded aktualisiert modernisiert actualisé actualizado actualizada
    now newer latest bumped patched refreshed revised version modernised modernized raised current neuer
    überarbeitet aufgerüstet erneuert nouveau nueva modernizado

improved better enhanced verbessert besser amélioré améliorée meilleur mejorado mejorada mejor
    faster gained upgraded refined progress optimised optimized stronger recovered easier cleaner optimiert
    schneller gesteigert optimizado progreso

worsened worse deteriorated verschlechtert schlechter schlimmer aggravé pire empeorado peor
    declined slower regression degraded fell weakened relapse escalated rückfall abgenommen sinkt baisse
    deterioro recaída

split divided separated geteilt aufgeteilt gespalten divisé séparé dividido dividida separado
    partitioned halves broke apart forked extracted subdivided spun detached zerlegt getrennt ausgegliedert
    scindé partagé escindido repartido separately

merged combined united zusammengelegt zusammengeführt vereinigt fusionné réuni fusionado unido combinado
    consolidated unified amalgamated integrated together single union merger verschmolzen vereint fusion
    regroupé integrado jointly

exchanged reversed restored reinstated zurückgenommen wiederhergestellt rétabli restablecido
    reverted undone rollback returned resumed reintroduced revived original rückgängig wieder erneut annulé
    retour nouveau vuelve
"""

TABLES = (
    _STATES_OF_BUSINESS,
    _STATES_OF_THINGS,
    _STATES_OF_SYSTEMS,
    _STATES_OF_WORK,
    _STATES_OF_PEOPLE_AND_RIGHTS,
    _CHANGES,
)
