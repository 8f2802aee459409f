"""What kinds of things there are, and which words are instances of them: a brief asks for "disasters", a text tells of a flood.

General knowledge as a dictionary has it, in English first, with German, French and Spanish words for what is usual.
Words stand alone and meet as stems. Refuses sentences, weights and patterns of values: of those it knows only names.

Kinds are nouns ("disasters") and, in the last tables, states by which a brief selects ("unpaid", "offline", "renamed").
The words of the opposite state are not in a state. A word also meets longer ones that it begins ("down" and "download"),
so short beginnings of common words are left out where the state has other words.

The tables below are read like this: flush left the words by which a brief asks for a kind, indented those by which a
text tells of one, after "=" the shapes of values that a line has which answers; an empty line ends a kind. A word
that is in every text ("make", "get", the German "war") is no instance, however good its meaning fits; "now" and "instead"
are, of changes, since that is how texts tell of them.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from words import stem_of

# What a value can look like; the patterns stand elsewhere.
_SHAPE_NAMES = (
    "date time duration money number quantity percent version code person name place url email phone path term vote "
    "state"
)
SHAPES = frozenset(_SHAPE_NAMES.split())


class Kind(NamedTuple):
    """One kind of thing: stems by which a brief asks for it and a text tells of one, and what an answer looks like."""

    asked: frozenset[str]
    told: frozenset[str]
    values: frozenset[str]


# --- Questions ------------------------------------------------------------------------------------------

_QUESTIONS = """
who whom whose wer wen wem qui quien
= person name

when wann quand cuándo
= date time

where wo woher wohin dónde
= place

much many wieviel combien cuánto cuánta
= number money quantity

often oft häufigkeit häufigkeiten frequency souvent fréquence frecuencia
    hourly daily weekly monthly quarterly yearly annually biweekly nightly täglich wöchentlich monatlich
    jährlich quotidien hebdomadaire mensuel annuel diario semanal mensual anual
= duration

long duration length lange dauer durée duración
    minutes hours weeks months fortnight minuten stunden wochen monate heures semaines minutos horas semanas
    meses
= duration
"""

# --- People ---------------------------------------------------------------------------------------------

_PEOPLE = """
people person character npc figure individual inhabitant resident citizen personen leute bewohner einwohner
figuren personne personnage habitant gens personas personaje gente
    woman boy girl farmer miller baker butcher smith blacksmith merchant fisherman hunter priest monk knight
    soldier servant widow orphan beggar thief peasant nobleman sailor tailor weaver potter carpenter mason
    shepherd innkeeper bauer müller bäcker schmied händler fischer jäger priester ritter witwe paysan meunier
    boulanger forgeron marchand pêcheur prêtre veuve campesino molinero panadero herrero pescador viuda
= person name

leader ruler chief head chair governor monarch sovereign leadership anführer herrscher oberhaupt leiter chef
dirigeant souverain líder jefe gobernante
    king queen emperor empress prince princess duke duchess count earl baron lord chieftain captain commander
    president chancellor mayor regent sultan tsar pharaoh abbot bishop pope director chairman chairwoman
    chairperson headmaster rules reigns commands presides könig königin kaiser fürst herzog graf
    bürgermeister präsident kanzler vorsitzende roi reine empereur maire rey reina emperador alcalde

role office position occupation profession rank function title amt ämter beruf rolle rollen funktion
funktionen stelle stellen titel titeln posten métier fonction poste titre cargo puesto profesión oficio
función título
    secretary treasurer clerk manager director chairman deputy assistant officer inspector engineer architect
    consultant analyst accountant lawyer solicitor judge notary teacher professor lecturer nurse doctor
    physician surgeon pharmacist electrician plumber driver pilot cook waiter librarian archivist editor
    journalist designer developer technician steward warden bailiff chamberlain herald marshal quartermaster
    appointed promoted schriftführer kassenwart geschäftsführer sekretär ingenieur arzt anwalt richter lehrer
    secrétaire trésorier médecin avocat juge secretario tesorero médico abogado juez cobbler carpenter
    blacksmith butcher baker tailor mason farmer fisherman miller shepherd dentist optician veterinarian
    midwife barber hairdresser chef bartender cashier salesman receptionist translator interpreter
    firefighter policeman detective postman gardener janitor welder mechanic locksmith tischler bäcker
    metzger zahnarzt menuisier boulanger carpintero panadero dentista

family relative relation kinship parent child sibling spouse genealogy ancestry familie familien verwandte
eltern kinder geschwister vorfahren famille enfants familia pariente padres hijos
    father mother daughter brother sister uncle aunt cousin nephew niece grandfather grandmother grandson
    granddaughter husband wife widow widower twin stepmother stepfather heir ancestor descendant married
    marriage betrothed divorced adopted vater mutter sohn tochter bruder schwester onkel tante ehemann
    ehefrau verheiratet père mère fils frère sœur oncle mari épouse madre hija hermano hermana esposo esposa
= person name

biography life birth death born vita lebenslauf leben geburt tod biographie vie naissance mort biografía vida
nacimiento muerte
    died buried baptised baptized childhood married graduated emigrated retired aged deceased funeral grave
    geboren gestorben starb begraben verstorben née décédé enterré nació murió falleció enterrado
= date person place

employee staff team colleague personnel workforce crew worker mitarbeiter belegschaft belegschaften
angestellte kollegen employé équipe salarié empleado plantilla equipo trabajador
    hired joined recruit intern apprentice trainee foreman supervisor freelancer contractor technician
    operator headcount onboarding shift payroll lehrling praktikant azubi stagiaire apprenti aprendiz becario
= person name

participant attendee attendance guest teilnehmer anwesende gäste présents assistance invités asistentes
invitados
    attended absent apologies excused chaired quorum delegate visitor speaker panelist entschuldigt abwesend
    ausentes
= person name

author writer creator contributor editor byline autor verfasser schriftsteller auteur écrivain rédacteur
escritor redactor
    wrote written penned coauthor contributed maintainer committer translated translator edited illustrated
    illustrator composed novelist poet playwright essayist columnist screenwriter biographer geschrieben
    verfasst écrit traduit escrito traducido
= person name

artist musician performer künstler musiker musicien artista músico
    painter sculptor singer pianist violinist guitarist drummer composer conductor dancer actor actress
    comedian photographer rapper soprano tenor cellist organist maler sänger schauspieler komponist peintre
    chanteur acteur pintor cantante
= person name

expert scientist researcher scholar inventor wissenschaftler forscher erfinder fachleute chercheur
scientifique savant inventeur científico investigador
    professor physicist chemist biologist astronomer mathematician historian geologist botanist economist
    philosopher engineer discovered invented patented discoverer physiker chemiker astronom physicien
    chimiste físico químico
= person name

politician minister senator deputy politiker abgeordnete ministre politique député político diputado ministro
    parliamentarian congressman congresswoman councillor councilor lawmaker legislator ambassador mayor
    chancellor incumbent candidate bundestag landtag stadtrat bürgermeister sénateur maire concejal alcalde
= person name

owner proprietor holder eigentümer inhaber besitzer propriétaire détenteur propietario dueño titular
    belongs landlord shareholder stakeholder freehold leasehold bought inherited acquired gehört besitzt
    appartient possède pertenece posee
= person name

responsible assignee responsibility accountable zuständig verantwortlich zuständigkeit zuständigkeiten
responsable responsabilité encargado responsabilidad
    assigned owner tasked delegated oversees supervises zugewiesen übernimmt betreut chargé asignado
= person name

contact ansprechpartner kontakt kontaktdaten coordonnées contacto
    phone telephone fax email mail hotline helpdesk extension reception switchboard telefon mobil rückfragen
    courriel standard teléfono correo
= email phone url person

name namen bezeichnung bezeichnungen nom nombre denominación
    named nicknamed alias surname genannt nommé surnommé appelé llamado apodado
= person name

victim casualty death toll dead injury opfer tote verletzte morts blessés víctimas muertos heridos
    killed died perished drowned wounded injured missing fatalities survivors fallen getötet ertrunken
    umgekommen vermisst tué noyé disparu ahogado fallecido desaparecido
= number

enemy rival opponent adversary foe antagonist feind gegner rivalen ennemi adversaire enemigo adversario
    villain feud hostile hatred nemesis betrayed traitor vendetta grudge hates feindschaft verfeindet
    verräter hostilité traître traidor
= name

friend ally companion alliance relationship freund verbündeter verbündete bündnis beziehung beziehungen ami
allié relation amigo aliado relación
    friendship befriended trusts loyal confidant treaty pact comrade lover mentor befreundet amitié alianza
    amistad

hero protagonist celebrity held heldin héroïne heroína
    champion saviour savior rescuer legend legendary saved rescued brave courage famous berühmt célèbre
    famoso
"""

# --- Groups ---------------------------------------------------------------------------------------------

_GROUPS = """
organization organisation institution body association agency organisationen verein verband behörde behörden
einrichtung einrichtungen établissement institución organización asociación entidad
    club society foundation institute federation union charity ngo council committee board commission bureau
    ministry department authority cooperative consortium trust university academy church chamber gesellschaft
    stiftung gewerkschaft ausschuss kammer ministerium bundesamt genossenschaft syndicat fondation ministère
    mairie fundación sindicato ministerio ayuntamiento choir orchestra monastery thinktank guild nonprofit
    alliance lodge
= name

faction group guild clan order tribe allegiance membership fraktion fraktionen gruppe gruppen zunft gilde
gilden bund stamm confrérie tribu facción grupo gremio
    brotherhood sisterhood covenant cult league syndicate gang band horde coven circle house dynasty legion
    conspiracy sect cartel militia rebels members sworn bruderschaft kult mitglied mitglieder ligue membre
    hermandad secta liga miembro
= name

company business firm corporation enterprise vendor manufacturer supplier unternehmen firma betrieb
hersteller lieferant konzern entreprise société fabricant fournisseur empresa compañía proveedor
    gmbh inc ltd llc plc startup subsidiary conglomerate holding brewery bakery factory foundry mill bank
    insurer retailer wholesaler distributor publisher shipyard airline tochtergesellschaft brauerei fabrik
    filiale usine brasserie banque fábrica banco
= name

department division unit team abteilung abteilungen bereich referat service département departamento
    accounting procurement purchasing logistics marketing sales legal compliance facilities helpdesk
    engineering buchhaltung einkauf vertrieb verwaltung comptabilité achats ventes contabilidad compras
    ventas

party politics parliament government partei parteien politik parlament regierung regierungen parti politique
gouvernement partido política gobierno
    coalition opposition cabinet senate congress republican democrat conservative socialist liberal labour
    greens legislature majority minority koalition bundesrat kabinett majorité congreso senado coalición

military army force navy troops armee militär heer truppen streitkräfte militaire troupes ejército tropas
    regiment battalion brigade division squadron fleet infantry cavalry artillery garrison platoon legion
    soldiers militia guards archers knights warship frigate destroyer submarine bataillon flotte infanterie
    regimiento batallón flota

customer client buyer user subscriber kunde kunden käufer nutzer anwender acheteur utilisateur comprador
usuario
    account subscription purchaser consumer patron shopper tenant signup registered churn bestellte abonnent
    abonné suscriptor
= name

population demographics inhabitants residents bevölkerung einwohnerzahl habitants población demografía
    census households density citizens immigrants emigrants natives volkszählung einwohner haushalte
    recensement ménages censo hogares
= number

religion religionen god deity faith church belief cult gott götter gottheit gottheiten glaube kirche kirchen
dieu divinité église dios divinidad iglesia
    goddess temple shrine altar priest priestess prayer worship saint prophet prophecy bishop monastery abbey
    sacred holy blessed divine pantheon heaven mosque synagogue cathedral göttin tempel heilige kloster gebet
    déesse sanctuaire prière diosa templo santuario oración santo

race people nation ethnicity species volk völker rasse ethnie peuple raza pueblo etnia
    human elf elves dwarf dwarves orc goblin halfling gnome giant troll undead tribe nomads natives
    indigenous settlers mensch elfen zwerge orks elfe nain humano elfo enano

class profession archetype klasse klassen clase
    warrior mage wizard sorcerer warlock rogue cleric paladin ranger druid bard monk barbarian necromancer
    hunter priest shaman archer krieger magier schurke guerrier magicien guerrero mago
"""

# --- Places ---------------------------------------------------------------------------------------------

_PLACES = """
place location zone area region settlement town city site landmark ort orten orte ortschaft ortschaften
gebiet stadt lage lieu endroit ville lieux lugar zona ciudad pueblo
    village hamlet district quarter borough county province island peninsula valley mountain hill forest
    river lake coast harbour harbor port marsh desert plain plateau canyon north south east west located
    situated dorf bezirk insel berg hügel wald fluss küste hafen gelegen norden süden osten westen île vallée
    montagne colline forêt rivière situé aldea isla valle montaña colina bosque río puerto situado
= place name

building structure architecture monument gebäude gebäuden bauwerk bauten bâtiment édifice ouvrage edificio
construcción monumento
    house castle tower church cathedral chapel temple bridge mill barn inn tavern palace fortress manor hall
    library museum school hospital station warehouse factory lighthouse townhall gate wall ruin cottage villa
    skyscraper stadium theatre theater haus burg schloss turm kirche kapelle brücke mühle rathaus bahnhof
    maison château église pont moulin mairie gare casa castillo torre iglesia puente molino ayuntamiento
    estación windmill watermill shed stable hut cabin granary monastery abbey pier dock obelisk pyramid
    scheune stall hütte grange cabane granero establo

room space interior floor raum zimmer stockwerk pièce salle étage habitación sala planta
    kitchen bedroom bathroom cellar attic basement corridor hallway lobby storeroom pantry dormitory chamber
    auditorium lounge balcony staircase upstairs downstairs küche keller dachboden flur cuisine cave grenier
    couloir cocina sótano pasillo
= code

address adresse adressen anschrift dirección
    street avenue road lane boulevard square alley postcode zip floor apartment straße postleitzahl rue
    chemin avenida plaza paseo
= place email

country state nation land länder staat staaten país nación estado
    kingdom republic empire colony federation germany france spain italy england britain scotland ireland
    russia china japan india usa america canada brazil austria switzerland poland netherlands portugal greece
    turkey egypt deutschland frankreich spanien österreich schweiz allemagne espagne suisse alemania francia
    españa
= place

route path way directions journey road weg strecke strecken anfahrt trajet itinéraire chemin ruta camino
recorrido trayecto
    highway motorway junction crossing crossroads detour trail pass ford bridge via bypass exit turnoff
    footpath autobahn kreuzung abzweigung umleitung carrefour déviation sentier autopista cruce desvío
    sendero
= place quantity

border neighbour boundary territory grenze grenzen nachbar gebiet frontière voisin territoire frontera vecino
territorio
    adjoining adjacent neighboring borderland enclave grenzt angrenzend limitrophe bordea limítrofe

geography landscape terrain geographie landschaft landschaften paysage relief geografía paisaje
    mountain river lake valley hill forest coast sea bay cape cliff glacier delta estuary plateau summit peak
    slope elevation altitude gulf strait swamp meadow heath moor gebirge gipfel fluss bucht sommet fleuve lac
    vallée cumbre lago bahía

water river lake sea ocean gewässer fluss meer eau fleuve mer agua río
    stream brook creek canal pond spring waterfall reservoir dam estuary lagoon tide ferry reef bach teich
    kanal ruisseau étang arroyo estanque tributary rapids cascade source mouth upstream downstream confluence
    navigable

school university education schule schulen universität universitäten hochschule bildung bildungen école
université enseignement escuela universidad educación
    college academy kindergarten gymnasium campus faculty curriculum pupil student semester degree diploma
    bachelor master doctorate scholarship tuition lecture seminar schüler studium lehrplan élève étudiant
    diplôme alumno estudiante titulación

shop store market restaurant geschäft laden markt gaststätte magasin boutique marché tienda mercado
    bakery butcher grocery supermarket pharmacy bookshop café pub bistro kiosk mall stall bazaar cafeteria
    bäckerei metzgerei apotheke wirtshaus boulangerie pharmacie panadería farmacia

hotel accommodation lodging stay unterkunft übernachtung übernachtungen hébergement logement alojamiento
hospedaje
    inn hostel guesthouse motel resort campsite bungalow booking breakfast checkin checkout reservation beds
    pension zimmer frühstück auberge chambre gîte habitación desayuno reserva
= money name

attraction sight sightseeing destination sehenswürdigkeit sehenswürdigkeiten ausflugsziel curiosité atracción
turismo
    museum castle cathedral gallery zoo aquarium monument viewpoint panorama beach waterfall fountain statue
    palace ruins park garden visitors schloss denkmal aussicht château musée plage castillo museo playa
    obelisk pyramid amphitheatre aqueduct minaret pagoda mausoleum promenade
"""

# --- Events ---------------------------------------------------------------------------------------------

_EVENTS = """
event happening occurrence incident milestone ereignis ereignissen ereignisse vorfall geschehnis événement
acontecimiento evento suceso
    opened closed built destroyed burned flooded signed crowned elected born died discovered invaded
    conquered liberated launched inaugurated collapsed erupted abolished gegründet eröffnet zerstört gebaut
    erbaut abgebrannt fondé ouvert détruit construit brûlé inauguré fundado abierto destruido construido
    inaugurado
= date

disaster catastrophe calamity emergency katastrophe katastrophen unglück notfall désastre sinistre catástrofe
siniestro
    flood fire blaze storm gale hurricane tornado typhoon cyclone earthquake quake tremor tsunami avalanche
    landslide mudslide eruption explosion drought famine plague epidemic pandemic wildfire burned burnt
    destroyed collapse derailed sank sunk shipwreck drowned blizzard hail hailstorm heatwave meltdown brand
    feuer brannte abgebrannt hochwasser überschwemmung flut sturm sturmflut orkan erdbeben lawine erdrutsch
    hungersnot pest seuche dürre einsturz incendie inondation crue tempête ouragan séisme tremblement
    sécheresse effondrement incendio inundación tormenta huracán terremoto sequía hambruna derrumbe

accident crash mishap unfall absturz
    collision collided derailment derailed overturned capsized sank skidded slipped injured killed wreck
    pileup explosion spill entgleist zusammenstoß verunglückt kollision déraillement chavira descarrilamiento
    colisión
= date

war battle conflict fight siege krieg schlacht schlachten kampf konflikt belagerung belagerungen guerre
bataille conflit guerra batalla conflicto asedio
    invasion invaded attack conquest conquered besieged defeated victory surrender raid uprising rebellion
    revolt mutiny ambush skirmish truce armistice ceasefire treaty occupied bombed bombardment campaign
    feldzug angriff aufstand eroberung erobert besiegt belagert waffenstillstand geplündert défaite pillé
    ataque derrota rebelión tregua saqueo
= date

crime offence offense theft verbrechen straftat diebstahl délit vol crimen delito robo
    murder stole stolen robbery robbed burglary burglar arson fraud assault kidnapping smuggling bribery
    corruption embezzlement blackmail forgery arrested suspect convicted poisoned mord gestohlen betrug raub
    einbruch meurtre volé asesinato robado

election vote wahl wahlen scrutin elección
    elected ballot candidate runoff turnout constituency polls majority landslide incumbent reelected voters
    mandate gewählt stichwahl wahlbeteiligung kandidat élu suffrage elegido votación candidato
= vote percent

festival celebration holiday feast ceremony fest feier feiern feiertag fête cérémonie fiesta celebración
ceremonia
    carnival parade procession anniversary jubilee wedding christmas easter halloween thanksgiving harvest
    solstice fireworks banquet coronation bonfire jahrmarkt kirmes umzug weihnachten ostern hochzeit noël
    pâques défilé carnaval navidad pascua desfile boda
= date

foundation founding origin establishment inception gründung gründungen ursprung entstehung entstehungen
herkunft fondation création fundación origen creación
    founder established originated created incorporated inaugurated chartered settled settlers gegründet
    gründer entstand stammt fondé fondateur établi fundado fundador establecido
= date

history past chronicle background geschichte vergangenheit vergangenheiten chronik histoire passé chronique
historia pasado crónica
    century medieval ancient destroyed rebuilt ruled conquered dynasty reign heritage formerly originally
    jahrhundert mittelalter wiederaufgebaut ehemals siècle autrefois jadis siglo antiguamente
= date

timeline chronology zeitleiste chronologie ablauf zeittafel cronología
    began afterwards begann endete commença termina empezó terminó beginning subsequently predates followed
    succeeded preceded erstmals
= date time

meeting session gathering assembly sitzung sitzungen versammlung versammlungen treffen besprechung
besprechungen réunion séance assemblée sesión asamblea
    minutes agenda chaired attended adjourned convened quorum plenary workshop briefing standup retrospective
    protokoll tagesordnung vertagt procès ordre acta convocada aplazada
= date time person

conference exhibition concert performance show konferenz ausstellung ausstellungen konzert aufführung
aufführungen veranstaltung veranstaltungen exposition spectacle conferencia exposición concierto espectáculo
    keynote speaker venue tickets audience booth stage rehearsal opera recital gallery symposium workshop
    lecture screening eintritt bühne vortrag billet scène entrada escenario
= date place

discovery invention innovation entdeckung entdeckungen erfindung erfindungen découverte descubrimiento
invento
    discovered invented patent pioneered breakthrough prototype unearthed excavated excavation entdeckt
    erfunden descubierto inventado
= date person

marriage wedding divorce hochzeit ehe heirat mariage matrimonio boda divorcio
    married bride groom betrothed engaged engagement husband wife spouse verheiratet verlobt épousa marié
    fiancé casado prometido
= date person

reform revolution movement bewegung bewegungen mouvement reforma revolución movimiento
    uprising abolished emancipation suffrage protest strike demonstration riot manifesto overthrow
    independence streik aufstand grève manifestation huelga protesta

travel trip journey voyage expedition reise reisen fahrt viaje expedición
    departed arrived sailed flew travelled crossed explored explorer itinerary departure arrival cruise
    pilgrimage abfahrt ankunft gereist arrivée salida llegada
= place date

strike protest demonstration unrest streik grève manifestation huelga protesta
    picket walkout riot march rally demonstrators boycott blockade curfew lockout ausstand manifestants
    disturbios
= date

award prize honour recognition auszeichnung auszeichnungen preis ehrung ehrungen prix distinction récompense
premio galardón distinción
    medal trophy nobel oscar grammy nominated nomination laureate winner knighted shortlisted prizewinner
    medaille ausgezeichnet medalla galardonado
= date

rumour legend myth folklore story gerücht sage legenden mythos rumeur rumor leyenda mito
    reportedly allegedly supposedly ghost haunted cursed whispered prophecy tale superstition angeblich spukt
    fluch geist fantôme maudit malédiction fantasma maldición

secret mystery clue geheimnis geheimnisse rätsel rätseln hinweis mystère indice secreto misterio pista
    hidden secretly conceal disguise unknown riddle puzzle cipher passage password trapdoor revealed heimlich
    verborgen versteckt caché déguisé oculto escondido
"""

# --- Dates and times ------------------------------------------------------------------------------------

_DATES_AND_TIMES = """
date day year month datum jahr jahreszahl monat jour année mois fecha día año mes
    january february march april june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday century yesterday tomorrow januar februar märz juni juli
    oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag janvier février avril
    juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche
    enero febrero marzo abril junio julio agosto septiembre octubre noviembre diciembre lunes martes
    miércoles jueves viernes sábado domingo
= date

time clock hour uhrzeit zeit stunde stunden heure hora
    noon midnight morning afternoon sunrise sunset dawn dusk oclock uhr mittag mitternacht vormittag
    nachmittag midi minuit matin mediodía medianoche mañana
= time

deadline due frist fristen termin abgabe stichtag échéance délai plazo vencimiento
    latest expires expiry expiration cutoff overdue submit postponed extended spätestens ablauf verlängert
    fällig jusqu vence caduca prórroga
= date time duration

schedule timetable calendar agenda appointment plan fahrplan zeitplan kalender termine horaire calendrier
rendez horario calendario cita
    monday tuesday wednesday thursday friday saturday sunday weekly daily departs arrives begins rescheduled
    postponed cancelled canceled slot weekend beginnt verschoben commence reporté empieza aplazado
= date time

opening hours öffnungszeiten geöffnet ouverture horaires apertura horarios
    closed weekdays weekends holidays sundays daily appointment noon geschlossen ruhetag montags sonntags
    fermé ouvert lundi dimanche cerrado abierto lunes domingo
= time

age period era epoch alter zeitalter époque edad época periodo
    medieval renaissance victorian bronze stone jurassic century decade millennium aged mittelalter
    jahrhundert siècle décennie siglo década
= date duration number

frequency interval cycle period intervall turnus zyklus intervalo ciclo
    hourly daily weekly monthly quarterly yearly annually twice fortnightly biannual recurring periodic cron
    täglich wöchentlich monatlich jährlich halbjährlich hebdomadaire mensuel annuel semanal mensual anual
= duration

delay postponement lateness verspätung verspätungen verzögerung verzögerungen verschiebung verschiebungen
retard report retraso demora
    postponed rescheduled overdue cancelled canceled verspätet verschoben ausgefallen annulé retrasado
    aplazado cancelado
= duration

expiry validity expiration gültigkeit gültigkeiten ablaufdatum haltbarkeit validité péremption validez
caducidad
    expires valid invalid renew renewal lapse shelf gültig abgelaufen valable périmé válido caducado
= date duration

warranty guarantee garantie gewährleistung gewährleistungen garantía
    warranted defect defective coverage refund repair replacement kulanz mangel défaut défectueux defecto
    defectuoso
= duration
"""

# --- Money ----------------------------------------------------------------------------------------------

_MONEY = """
price cost fee charge rate tariff expense preis kosten gebühr gebühren entgelt tarif prix coût frais precio
costo tarifa gasto
    euro eur dollar usd pound gbp pence cents chf franken yen gold silver coins crowns free surcharge
    discount rebate vat toll postage deposit fare ticket admission kostenlos gratis zuschlag rabatt gratuit
    remise supplément gratuito descuento recargo mileage lodging meals reimbursement stamp freight handling
    upkeep
= money

budget funding finance investment haushalt finanzierung mittel investition financement investissement
presupuesto financiación inversión
    grant subsidy loan credit donation sponsor sponsorship allocated expenditure surplus deficit reserve
    bonds zuschuss spende darlehen kredit förderung überschuss subvention don prêt emprunt subvención
    donación préstamo
= money

salary wage pay compensation income gehalt gehälter lohn vergütung vergütungen einkommen salaire rémunération
revenu salario sueldo ingresos
    hourly annual bonus overtime pension stipend commission allowance net payroll brutto netto zulage brut
    prime bruto prima paga
= money

fine penalty sanction bußgeld bußgelder strafe strafen geldstrafe vertragsstrafe amende pénalité multa
sanción pena
    imprisonment prison jail forfeits revoked surcharge suspended sentenced punishable infringement violation
    freiheitsstrafe verwarnung verstoß infraction prisión infracción
= money duration

revenue sales turnover profit income earnings loss umsatz gewinn verlust erlös ertrag chiffre bénéfice perte
ingresos beneficio pérdida ventas
    quarter quarterly fiscal ebit ebitda margin net dividend forecast growth sold decline rose quartal
    geschäftsjahr trimestre exercice dividendo ejercicio
= money percent

payment billing zahlung zahlungen bezahlung bezahlungen zahlungsbedingungen paiement règlement pago cobro
    paid pays payable instalment installment prepaid transfer cheque cash card debit iban paypal invoice
    deposit refund überweisung lastschrift ratenzahlung virement acompte transferencia efectivo tarjeta
= money date

discount offer promotion sale rabatt angebot aktion ermäßigung ermäßigungen remise réduction offre descuento
oferta rebaja
    coupon voucher reduced cheaper bundle clearance save cashback gutschein ermäßigt solde cupón vale
= percent money

tax duty customs steuer steuern abgabe zoll impôt taxe douane impuesto aduana arancel
    vat taxable levy tariff withholding deduction deductible exempt exemption refund mehrwertsteuer
    umsatzsteuer freibetrag tva exonération iva deducción exento
= percent money

debt loan credit mortgage schulden kredit darlehen hypothek dette prêt hypothèque deuda préstamo crédito
hipoteca
    owes owed borrowed lender borrower repay repayment repaid interest arrears overdue default creditor
    debtor zinsen gläubiger intérêt créancier interés acreedor
= money percent

insurance versicherung versicherungen assurance seguro
    insured policy premium claim coverage liability deductible indemnity underwriter policyholder
    selbstbehalt haftpflicht franchise sinistre póliza franquicia
= money

investment stock aktie anlage wertpapier acción bolsa
    shares dividend portfolio bond etf fund equity nasdaq dow shareholder ipo yield volatility broker börse
    kurs bourse rendement rendimiento
= money percent

donation charity gift spende spenden schenkung schenkungen don donación
    donated donor benefactor bequest endowment charitable legacy sponsored gespendet stifter donateur legs
    donante
= money

rent lease tenancy miete pacht loyer bail alquiler arrendamiento
    tenant landlord sublet deposit eviction utilities mieter vermieter kaution nebenkosten locataire caution
    inquilino fianza
= money

currency money exchange geld dinero währung währungen devise monnaie moneda divisa
    euro dollar pound yen franc peso rupee ruble krone coin silver copper bitcoin franken livre
= money

reward bounty payout belohnung belohnungen prämie récompense prime recompensa
    gold coins experience xp paid bonus medal prize treasure loot gems earns erhält obtient obtiene
= money quantity
"""

# --- Decisions and work ---------------------------------------------------------------------------------

_DECISIONS_AND_WORK = """
decision resolution ruling conclusion outcome entscheidung entscheidungen beschluss beschlüssen entscheid
ergebnis ergebnissen délibération resolución acuerdo
    decided agreed approved adopted rejected resolved passed carried unanimously unanimous dismissed
    postponed deferred ratified endorsed accepted declined granted denied overruled concluded beschlossen
    genehmigt abgelehnt angenommen zugestimmt vertagt einstimmig entschieden approuvé rejeté unanimité
    decidió aprobado rechazado aprobó unanimidad aceptado acordó
= vote

vote voting ballot motion poll abstimmung abstimmungen antrag stimmen scrutin votación moción voto
    favour favor abstained abstention carried defeated moved unanimous unanimously majority quorum
    stimmenthaltung enthaltungen einstimmig mehrheit gegenstimmen unanimité voix abstención unanimidad
    mayoría
= vote

agreement contract treaty consensus vereinbarung vereinbarungen vertrag abkommen einigung einigungen accord
contrat traité convenio contrato tratado
    agreed signed undersigned hereby ratified concluded memorandum pact settlement binding unterzeichnet
    unterschrieben firmado armistice truce ceasefire charter concordat covenant protocol ratification
= date

task todo action assignment duty job aufgabe aufgaben maßnahme maßnahmen auftrag tâche mission tarea acción
encargo
    prepares submit send draft contact arrange organise organize clarify review assigned erledigen klären
    kümmert prüft bereitet erstellt organisiert vérifier envoyer prepara enviar revisar encarga
= date person

plan proposal suggestion recommendation idea vorschlag empfehlung empfehlungen vorhaben projet proposition
recommandation propuesta recomendación sugerencia proyecto
    proposed suggested recommends intends considering envisaged advise advocated vorgeschlagen empfohlen
    geplant beabsichtigt schlägt recommandé prévu propuesto recomendado previsto

goal objective target aim ziel zielsetzung zielsetzungen objectif objetivo meta
    achieve reach milestone kpi okr strive vision mission ambition anstreben erreichen atteindre alcanzar
    lograr
= percent date number

risk danger threat hazard risiko risiken gefahr gefahren bedrohung bedrohungen risque menace riesgo peligro
amenaza
    hazardous dangerous unsafe vulnerable vulnerability likelihood probability mitigation mitigate exposure
    threatens jeopardise jeopardize endanger contingency gefährlich gefährdet bedroht dangereux peligroso

problem issue difficulty challenge concern complaint schwierigkeit schwierigkeiten beschwerde difficulté
plainte problema dificultad queja
    broken failed failure faulty defect complained unresolved blocked blocker stuck bottleneck shortage
    trouble error lack kaputt defekt mangel gescheitert fehlt panne défaut manque avería fallo falta

question unresolved open pending uncertainty frage fragen ungeklärt offen incertitude pregunta cuestión
pendiente duda
    unclear undecided unknown tbd clarify clarified unanswered wonder investigate unklar klären geklärt
    clarifier ignorer aclarar desconocido

answer response reply reaction antwort antworten réponse respuesta
    replied responded explained confirmed antwortete erwiderte répondit contestó respondió retorted rejoinder
    acknowledged feedback clarified

reason cause motive explanation ursache ursachen grund begründung begründungen raison motif causa razón
motivo
    because owing triggered weil wegen aufgrund verursacht parce provoqué porque debido provocado

effect consequence impact result outcome auswirkung auswirkungen folge folgen wirkung wirkungen ergebnis
ergebnissen effet résultat efecto consecuencia impacto resultado
    consequently affected increased decreased reduced improved worsened führte bewirkt entraîné provocó

solution fix workaround remedy resolution lösung lösungen abhilfe behebung behebungen remède solución remedio
    resolved solved repaired replaced restarted reset mitigated patched corrected rollback reverted cured
    behoben gelöst repariert ersetzt résolu corrigé réparé resuelto corregido reparado

requirement prerequisite criterion condition need anforderung anforderungen voraussetzung voraussetzungen
bedingung bedingungen erfordernis exigence prérequis requisito condición
    must required shall mandatory minimum obligatory necessary essential muss müssen erforderlich nötig
    benötigt doit requis nécessaire obligatoire debe requerido necesario obligatorio

advantage benefit strength vorteil vorteilen nutzen stärke stärken avantage atout ventaja beneficio
    faster cheaper efficient improved reliable saves robust superior outperforms schneller günstiger rapide
    rápido

disadvantage drawback weakness limitation nachteil nachteilen schwäche schwächen inconvénient faiblesse
désavantage desventaja debilidad
    slow slower expensive costly limited unreliable inferior lacks vulnerable fragile cumbersome langsam
    teuer lent cher lento caro

change modification amendment alteration änderung änderungen anpassung anpassungen changement cambio
modificación
    modified amended renamed moved replaced added removed introduced switched migrated updated revised
    increased reduced geändert umbenannt ersetzt hinzugefügt entfernt renommé remplacé ajouté supprimé
    cambiado modificado renombrado añadido eliminado

progress status update stand fortschritt avancement état progreso estado avance
    completed finished ongoing underway pending blocked delayed cancelled abgeschlossen erledigt fertig
    laufend begonnen terminé commencé cours terminado completado curso
= percent state

cancellation termination cancelation kündigung kündigungen stornierung stornierungen absage annulation
résiliation cancelación rescisión anulación
    cancelled canceled terminated notice withdrawn revoked refund abgesagt gekündigt storniert annulé résilié
    cancelado anulado
= date duration

approval permission authorization consent genehmigung genehmigungen erlaubnis zustimmung zustimmungen
freigabe autorisation approbation consentement autorización permiso aprobación
    approved authorised authorized permitted allowed granted signed genehmigt erlaubt freigegeben autorisé
    permis approuvé autorizado permitido aprobado

rejection refusal denial ablehnung ablehnungen weigerung weigerungen refus rejet rechazo negativa denegación
    rejected denied declined dismissed vetoed disapproved rebuffed spurned abgelehnt verweigert rechazado
    denegado
"""

# --- Orders and trade -----------------------------------------------------------------------------------

_ORDERS_AND_TRADE = """
order purchase bestellung bestellungen auftrag commande achat pedido compra
    bought shipped delivered backorder quantity cart checkout invoice confirmed bestellt gekauft geliefert
    acheté livré comprado entregado
= code date money

delivery shipment shipping dispatch lieferung lieferungen versand zustellung zustellungen livraison
expédition envío entrega
    delivered courier parcel package pallet freight carrier tracking customs arrives consignment geliefert
    versandt paket spedition livré expédié colis entregado enviado paquete
= date code

invoice bill receipt rechnung rechnungen beleg quittung quittungen facture reçu factura recibo
    subtotal total vat net payable charged credited rechnungsnummer netto brutto mwst fällig échéance ttc iva
    vencimiento
= code money date

return refund exchange rückgabe umtausch widerruf retoure remboursement échange devolución reembolso cambio
    withdrawal revoke unopened restocking reimbursed zurückgeschickt erstattet renvoyé remboursé devuelto
    reembolsado
= duration money

stock inventory availability supply lager bestand verfügbarkeit verfügbarkeiten vorrat disponibilité
inventario existencias disponibilidad
    available unavailable warehouse reorder sold depleted shortage backorder remaining shelf lieferbar
    vorrätig ausverkauft disponible épuisé rupture agotado
= number

goods product merchandise article sku ware produkt produkten artikel produit marchandise producto mercancía
artículo
    model brand catalogue catalog edition variant sells sold timber cloth wool wine salt fish leather spices
    marke modell sorte marque modelo marca
= code name

trade export import commerce handel ausfuhr einfuhr exportation importation comercio exportación importación
    merchant caravan cargo sells tariff embargo market händler markt marchand marché mercader mercado

contractor tender bid procurement ausschreibung ausschreibungen angebot vergabe appel offre marché licitación
oferta
    bidder awarded quotation quote subcontractor submitted lowest zuschlag bieter adjudicataire adjudicado
= money name
"""

# --- Products and machines ------------------------------------------------------------------------------

_PRODUCTS_AND_MACHINES = """
dimension size measure length width height depth maße abmessung abmessungen größe taille mesure longueur
largeur hauteur tamaño medida longitud anchura altura
    mm cm metre meter inch feet diameter radius thickness wide deep breite höhe tiefe durchmesser diamètre
    épaisseur profondeur diámetro grosor profundidad
= quantity

weight mass load gewicht traglast poids peso masa carga
    kg kilogram gram lbs ounce tonne heavy weighs payload wiegt kilo pèse pesa kilogramm tonnen
= quantity

capacity volume content storage fassungsvermögen volumen inhalt kapazität kapazitäten capacité contenance
capacidad
    litre liter gallon holds seats tank gigabyte terabyte cubic passt fasst contient litros plazas
= quantity number

power energy electricity voltage consumption leistung leistungen strom spannung spannungen verbrauch energie
puissance tension consommation potencia energía consumo
    watt kw kwh volt amp ampere battery charger adapter fuse phase hz solar turbine generator standby akku
    batterie netzteil sicherung secteur batería fusible
= quantity

speed velocity rate geschwindigkeit tempo vitesse velocidad
    kmh mph knots rpm faster slow accelerate acceleration revolutions drehzahl rapide rápido
= quantity

material composition fabric werkstoff materialien stoff matériau matière tissu tejido
    steel stainless aluminium aluminum copper brass iron wood oak pine plastic rubber glass leather cotton
    wool linen polyester nylon ceramic concrete stone marble granite carbon titanium silicone stahl edelstahl
    holz kunststoff gummi leder baumwolle acier bois cuir verre coton plastique acero madera cuero vidrio
    algodón plástico bamboo velvet silk satin denim cork clay porcelain bronze plywood foam felt hemp paper
    cardboard graphite kevlar

color colour finish farbe farben couleur acabado
    red blue green yellow black white grey gray brown purple orange silver golden matte glossy beige
    turquoise rot blau grün gelb schwarz rouge bleu vert jaune noir blanc rojo azul verde amarillo negro
    blanco crimson scarlet pink violet magenta cyan navy olive maroon ivory indigo lilac teal

component spare replacement part ersatzteil ersatzteilen bauteil teile komponente komponenten pièce composant
rechange pieza repuesto
    filter gasket seal bearing belt blade bulb hose valve screw bolt nut washer spring gear pump motor fan
    fuse cartridge bracket lid nozzle dichtung schraube riemen ventil joint courroie vanne junta tornillo
    correa válvula piston crankshaft shaft clutch cylinder carburettor carburetor radiator spark plug
    sprocket chain axle ring sensor switch relay
= code

accessory attachment extra zubehör aufsatz accessoire accesorio
    supplied optional adapter charger cable bag mount holder strap remote battery kabel tasche halterung
    beiliegend housse fourni funda incluido

tool equipment device instrument werkzeug gerät ausrüstung ausrüstungen outil appareil équipement herramienta
aparato equipo
    screwdriver wrench spanner hammer drill pliers knife ladder multimeter crowbar axe shovel chisel torch
    schraubendreher schraubenschlüssel bohrer zange tournevis clé marteau perceuse destornillador llave
    martillo

maintenance service inspection overhaul wartung wartungen instandhaltung instandhaltungen inspektion
entretien révision mantenimiento inspección
    replace lubricate oil grease tighten inspect calibrate clean drain refill annually hours ölen schmieren
    prüfen austauschen nachziehen graisser vérifier remplacer vidanger engrasar comprobar sustituir
= duration

cleaning hygiene care reinigung reinigungen pflege säuberung säuberungen nettoyage soin limpieza cuidado
    wash rinse wipe descale detergent soap cloth dishwasher disinfect vinegar dry vacuum sponge spülmaschine
    entkalken abwischen waschen rincer laver détartrer essuyer lavar enjuagar descalcificar

safety warning caution hazard precaution sicherheit warnung warnungen warnhinweis sicherheitshinweise
vorsicht sécurité avertissement consigne seguridad advertencia precaución
    danger electrocution shock burns injury fire flammable unplug disconnect gloves goggles helmet risk
    suffocation toxic gefahr niemals stromschlag brandgefahr verletzung attention brûlure enfants peligro
    quemaduras niños

installation assembly setup mounting montage aufbau einbau inbetriebnahme instalación montaje
    install attach assemble connect insert fasten screw position unpack anschließen befestigen einsetzen
    brancher fixer insérer conectar fijar insertar

instruction procedure operation step usage anleitung anleitungen bedienung bedienungen schritt anweisung
anweisungen vorgehen étape utilisation instrucción procedimiento paso uso
    press turn select insert remove push hold switch repeat click open close drücken drehen wählen appuyer
    tourner choisir pulsar girar seleccionar

defect fault malfunction troubleshooting breakdown störung störungen fehler fehlern defekt fehlersuche panne
défaut dépannage avería fallo
    noise leaks vibration overheats jammed stuck blocked smell smoke broken cracked worn flashes blinks
    geräusch undicht klemmt leckt überhitzt bruit fuite surchauffe bloqué ruido fuga bloqueado
= code

code errorcode fehlercode störungscode código
    fault alarm error display blinks flashes err fehler anzeige voyant erreur pantalla
= code

temperature heat cold hitze kälte chaleur froid temperatura calor frío
    celsius fahrenheit degrees kelvin hot warm boiling freezing frost thermostat grad heiß degrés grados
= quantity

pressure force druck kraft pression presión fuerza
    psi pascal newton torque nm atmosphere hydraulic pneumatic vacuum drehmoment
= quantity

display screen monitor anzeige bildschirm écran affichage pantalla
    pixel resolution inch oled lcd touchscreen backlight brightness refresh hz auflösung resolución
= quantity

camera photo lens kamera foto objektiv objectif cámara fotografía
    megapixel aperture zoom shutter sensor flash focal exposure iso blende autofocus
= quantity

vehicle car truck machine fahrzeug auto wagen maschine maschinen véhicule voiture camion vehículo coche
máquina
    engine diesel petrol gearbox brake tyre tires bicycle motorcycle lorry bus tractor mileage horsepower
    motor bremse reifen fahrrad moteur frein pneu vélo freno neumático bicicleta
= quantity

ship boat vessel schiff boot navire bateau bateaux barco buque
    sailed aboard crew harbour ferry schooner frigate tanker cargo mast anchor hull captain port knots
    segelte dampfer kutter équipage voile vela tripulación

certification standard norm zertifizierung zertifizierungen prüfzeichen certificación norma
    iso din ansi ieee astm certified compliant complies tüv vde conforms certificate zertifiziert certificado
    rfc
= code

feature specification property attribute eigenschaft eigenschaften merkmal ausstattung ausstattungen
caractéristique propriété característica propiedad especificación
    equipped integrated waterproof wireless bluetooth adjustable automatic rechargeable compatible
    unterstützt ausgestattet intègre incluye equipado
"""

# --- Software -------------------------------------------------------------------------------------------

_SOFTWARE = """
setting option configuration preference environment env variable flag switch einstellung einstellungen
konfiguration umgebungsvariable schalter paramètre réglage ajuste configuración opción
    enable disable default override toggle boolean configured unset config yaml toml ini export standardmäßig
    aktiviert voreinstellung activé désactivé défaut activado desactivado predeterminado
= term

parameter parametern argument input field attribute feld eingabe paramètre champ parámetro campo argumento
    required optional integer boolean array float nullable accepts default pflichtfeld requis facultatif
    obligatorio opcional bool enum
= term

default fallback voreinstellung voreinstellungen standard standardwert défaut predeterminado
    unset unspecified omitted otherwise initially standardmäßig omis preset prefilled factory implicit
    implicitly unchanged assumed absent
= term number

value wert valeur valor
    equals amounts totals beträgt équivaut equivale constant enumerated evaluates ranges numeric worth valid
= number quantity

limit quota maximum minimum threshold restriction ratelimit grenze grenzen grenzwert obergrenze höchstens
kontingent plafond seuil cuota máximo mínimo umbral
    max min exceed exceeded throttled upto burst allowance capped concurrent bounded mindestens überschreitet
    maximal dépasse excede supera requests
= number quantity

endpoint route api url path resource schnittstelle schnittstellen endpunkt ressource recurso ruta
    patch delete http graphql webhook uri request handler query querystring v1 v2 multipart crud openapi
    swagger
= path url

method function procedure methoden funktion funktionen aufruf fonction método función llamada
    returns raises throws arguments callback async constructor overload signature invoke
= term

class object interface module klasse klassen objekt objet clase objeto módulo
    extends implements inherits subclass instance constructor abstract mixin singleton struct trait enum
= term

type datatype schema typ datentyp typen tipo esquema
    integer boolean float array enum uuid timestamp varchar struct nullable bytes int64 json
= term

return output result rückgabe rückgabewert ausgabe sortie retour salida retorno
    yields prints emits produces renvoie devuelve stdout renders tuple none null
= term

error exception failure fault fehler fehlern ausnahme ausnahmen fehlermeldung fehlermeldungen störung
störungen erreur échec panne excepción fallo
    failed fatal crash panic traceback stacktrace abort denied refused timeout invalid unauthorized forbidden
    unavailable segfault exit unreachable corrupt oom raised throws thrown nullpointer overflow underflow
    fehlgeschlagen ungültig abgebrochen échoué impossible fallido inválido denegado rechazado
= code

status statuscode http antwortcode statut código estado
    ok created accepted unauthorized forbidden conflict teapot redirect unprocessable unavailable gateway
    throttled responded
= code

warning notice warnung warnungen hinweis avertissement advertencia aviso
    deprecated caution alert careful beware achtung attention atención unsafe sparingly hazardous risky
    gefährlich dangereux peligroso irreversible

version versionen release revision ausgabe veröffentlichung veröffentlichungen fassung fassungen publication
publicación
    changelog beta alpha rc stable lts snapshot hotfix patch minor semver veröffentlicht erschienen publié
    lanzado
= version date

dependency library package requirement abhängigkeit abhängigkeiten bibliothek bibliotheken paket dépendance
bibliothèque paquet dependencia biblioteca
    requires depends bumped upgraded pinned pip npm maven cargo gradle transitive peer vendored bundled
    minimum benötigt requiert requiere
= version

breaking incompatible incompatibility bruch inkompatibel inkompatibilität inkompatibilitäten rupture
incompatibilidad ruptura
    removed drop renamed replaced longer migrate migration mandatory moved backwards raises rejects obsolete
    entfernt entfällt umbenannt supprimé renommé eliminado renombrado

deprecation deprecated removal removed obsolete sunset veraltet abgekündigt entfernung entfernungen
obsolescence suppression obsoleto eliminación
    dropped discontinued retired superseded legacy unsupported eol abandoned replaced entfernt eingestellt
    supprimé abandonné eliminado retirado
= version

addition feature enhancement improvement novelty neuerung neuerungen neuheit neuheiten erweiterung
erweiterungen verbesserung verbesserungen nouveauté amélioration ajout novedad mejora
    added adds introduce improved enhanced extended implemented hinzugefügt unterstützt añadido soporta

bug bugfix fix fixes repair fehlerbehebung fehlerbehebungen korrektur fehlerkorrektur correctif correction
bogue corrección arreglo
    corrected resolved patched prevented regression crash leak race deadlock incorrect broken behoben
    korrigiert corrigé résolu corregido resuelto solucionado

security vulnerability exploit cve sicherheit sicherheitslücke sicherheitslücken schwachstelle schwachstellen
sécurité vulnérabilité faille seguridad vulnerabilidad
    xss csrf injection overflow escalation bypass attacker malicious sanitize hardened disclosure leak rce
    traversal advisory severity critical encrypted encryption authentication phishing malware ransomware
    angreifer verschlüsselt attaquant chiffré atacante cifrado
= code version

performance speedup optimization efficiency leistung leistungen geschwindigkeit optimierung optimierungen
optimisation rendimiento optimización
    faster slower speed throughput latency benchmark optimized optimised cached memory overhead milliseconds
    bottleneck reduced schneller beschleunigt accéléré rapide acelerado rápido
= quantity percent

known limitation caveat einschränkung einschränkungen limitación
    unsupported unresolved workaround cannot currently unfortunately experimental incomplete bislang
    unimplemented flaky intermittent unfixed unstable preview restricted

licence license copyright lizenz lizenzen urheberrecht droits licencia derechos
    apache gpl lgpl bsd mpl proprietary copyleft creative patent freeware lizenziert libre

platform compatibility browser plattform betriebssystem kompatibilität plateforme compatibilité plataforma
compatibilidad sistema
    linux windows macos android ios ubuntu debian fedora arm x86 amd64 chrome firefox safari edge kubernetes
    docker jvm python node
= version

command cli shell befehl kommando terminal comando orden
    execute bash sudo git curl docker kubectl npm pip install subcommand prompt ausführen exécuter ejecutar
= term

file directory folder path datei dateien verzeichnis ordner ordnern pfad fichier répertoire dossier chemin
archivo directorio carpeta fichero ruta
    filename extension json yaml csv txt log pdf conf dotfile symlink subdirectory subfolder archive zip toml
    ini
= path

format encoding syntax dateiformat kodierung kodierungen codage formato codificación
    json xml csv yaml utf8 ascii base64 binary plaintext markdown pdf png jpeg mime gzip delimiter hex

database table query column datenbank tabelle abfrage spalte requête colonne base tabla consulta columna
    sql postgres postgresql mysql sqlite mongodb redis index schema migration transaction select insert join
    rows replica shard deadlock backup
= term

authentication login authorization credential token anmeldung anmeldungen authentifizierung
authentifizierungen zugang zugangsdaten authentification connexion identifiant autenticación sesión
credencial
    oauth jwt bearer password passphrase apikey sso saml ldap signin signout logged session mfa otp expired
    scope header passwort abgemeldet contraseña

permission privilege access role acl berechtigung berechtigungen zugriff recht autorisation accès droit
permiso acceso derecho
    admin root readonly write grant denied forbidden allowed rbac sudo owner superuser erlaubt autorisé
    permitido
= term

event hook trigger callback webhook auslöser déclencheur disparador
    emitted fires fired dispatched listener subscribe payload handler notified publish
= term

test coverage qa prüfung prüfungen essai prueba
    passed failed skipped flaky regression assertion pytest junit integration mock fixture bestanden réussi
    aprobada
= number percent

architecture design component structure aufbau architektur komponente komponenten conception arquitectura
diseño
    microservice layer backend frontend client server gateway queue broker proxy balancer pipeline monolith

algorithm technique approach method algorithmus verfahren ansatz approche algoritmo técnica método
    sorting hashing search greedy recursive heuristic gradient neural regression complexity iteration

documentation reference link source dokumentation verweis quelle lien documentación enlace fuente
    docs readme manual guide tutorial wiki chapter appendix footnote cited siehe handbuch manuel
= url path

commit branch merge issue ticket
    pushed rebased reverted cherry repository fork reviewed squash closes opened gemergt
= code

model training dataset modell datensatz données modelo datos
    finetuned epochs tokens inference accuracy benchmark weights transformer gpu embedding hyperparameter
    overfitting
= number percent
"""

# --- Operations -----------------------------------------------------------------------------------------

_OPERATIONS = """
pod container workload deployment conteneur contenedor
    crashloopbackoff imagepullbackoff oomkilled evicted pending terminating replicaset daemonset statefulset
    replicas sidecar kubelet ready containercreating errimagepull
= state name

node host server machine knoten rechner nœud serveur nodo servidor
    notready cordoned drained schedulingdisabled worker master kubelet hostname vm rack datacenter cluster
    rebooted
= name state

restart reboot neustart redémarrage reinicio
    crashloopbackoff backoff respawned relaunched neugestartet redémarré reiniciado killed oomkilled reloaded
    bounce oom probe liveness
= number

state condition phase health zustand gesundheit état santé estado salud
    pending failed succeeded crashloopbackoff ready notready healthy unhealthy degraded terminated evicted
    active inactive offline paused idle läuft gestoppt arrêté actif detenido activo
= state

resource cpu memory ram disk usage utilization ressource speicher speichern arbeitsspeicher auslastung
auslastungen mémoire utilisation memoria recurso uso disco
    mib gib millicores cores requests limits oomkilled swap heap allocated throttled saturation iops storage
    inode gigabyte megabyte belegt
= quantity percent

image tag tage registry artefact artifact abbild abbilder imagen
    pulled imagepullbackoff digest sha256 dockerfile docker pushed latest imageid quay gcr ghcr alpine
    distroless layers manifest
= path version

port socket puerto
    tcp udp listen bind exposed nodeport ingress firewall loopback targetport hostport clusterip nat
    forwarded published tls
= number

namespace tenant project cluster namensraum espace espacio
    kubesystem staging production prod kube quota isolation scope dev sandbox preprod

incident outage downtime disruption ausfall störung störungen vorfall panne interruption caída interrupción
    degraded unavailable failover crashed postmortem mitigated restored recovered affected unreachable
    timeout escalated sev1 sev2 pager ausgefallen wiederhergestellt rétabli indisponible restablecido
= time duration code

alert alarm notification alerta notificación benachrichtigung benachrichtigungen
    firing triggered pager paged acknowledged threshold breached critical resolved silenced ausgelöst
    déclenché disparado

log message entry protokoll meldung meldungen eintrag journal journaux registro mensaje
    error warn info debug fatal trace stderr stdout audit rotated rotation verbose syslog journald stacktrace
= time code

latency delay timeout latenz antwortzeit latence latencia tiempo
    milliseconds p50 p95 p99 slow timed elapsed percentile roundtrip rtt
= duration quantity

timeout zeitüberschreitung zeitüberschreitungen expiration
    timed deadline exceeded expired elapsed retry abgelaufen agotado hung hang stalled unresponsive slow
    keepalive
= duration

retry attempt wiederholung wiederholungen versuch tentative essai reintento intento
    retried backoff exponential jitter versucht réessayé reintentado reattempt requeued reconnect resend
    resent redelivered
= number duration

connection network link verbindung verbindungen netzwerk netz connexion réseau conexión red
    tcp udp tls ssl dns socket vpn wifi ethernet disconnected connected refused reset handshake latency
    packet bandwidth subnet gateway firewall router proxy getrennt verbunden déconnecté desconectado
= code

login logon signin session anmeldung anmeldungen einloggen connexion inicio acceso
    logged sshd authenticated password accepted invalid lockout publickey logout angemeldet connecté
= name time

ip address client peer adresse adressen dirección
    ipv4 ipv6 subnet cidr gateway dhcp remote localhost hostname router interface eth0 wan lan mask octet
= code path

backup restore recovery snapshot sicherung sicherungen wiederherstellung wiederherstellungen sauvegarde
restauration respaldo restauración copia
    archived retention rpo rto replicated mirrored incremental gesichert dump offsite nightly tape copied
    replica
= date duration

deployment rollout bereitstellung bereitstellungen déploiement despliegue
    deployed rolled rollback reverted canary staging production shipped promoted pipeline ausgerollt
    desplegado
= version time

monitoring metric measurement kennzahl messwert überwachung überwachungen métrique indicateur surveillance
métrica indicador
    gauge counter histogram dashboard prometheus grafana average median percentile throughput durchschnitt
    moyenne promedio
= number percent quantity

certificate key encryption tls zertifikat schlüssel schlüsseln clé certificado clave
    ssl x509 expires issuer renewed rsa ecdsa signed pem fingerprint handshake ablauf
= date code

traffic load request volume verkehr anfragen trafic charge tráfico
    rps qps visitors hits peak spike throughput bandwidth visits surge congestion concurrent concurrency
    hourly sessions pageviews ingress egress
= number quantity

job batch cron process pipeline prozess verarbeitung verarbeitungen tâche traitement proceso tarea
    scheduled queued completed pid worker finished killed daemon spawned exited crontab executed executor
    cronjob subprocess zombie thread
= state time

queue message topic warteschlange cola
    kafka rabbitmq sqs backlog consumer producer broker lag partition offset deadletter
= number
"""

# --- Games and fantasy ----------------------------------------------------------------------------------

_GAMES_AND_FANTASY = """
creature monster monstern beast animal animaux boss kreatur kreaturen ungeheuer ungeheuern wesen monstre bête
criatura monstruo bestia
    dragon goblin orc troll wolf wolves bear spider ghost skeleton zombie vampire werewolf demon giant ogre
    serpent hydra griffin basilisk wyrm slime wraith ghoul imp elemental golem drache riese geist dämon
    spinne loup fantôme araignée lobo fantasma demonio araña kraken sphinx minotaur chimera phoenix unicorn
    harpy gargoyle banshee mummy lich cyclops cockatrice leviathan

weakness vulnerability vulnerable schwäche schwächen schwachstelle schwachstellen anfällig faiblesse
vulnérabilité debilidad vulnerabilidad
    weak fire frost cold silver sunlight holy lightning fears afraid hates susceptible resistant resistance
    immune immunity empfindlich feuer silber feu argent craint fuego plata teme

ability skill talent power fähigkeit fähigkeiten fertigkeit fertigkeiten begabung begabungen kraft compétence
capacité pouvoir habilidad poder capacidad
    cast attack strike heal stun dash stealth cooldown mana stamina passive proficiency trained mastery perk
    zaubert heilt angriff lance soigne attaque lanza cura ataque
= number

spell magic charm curse ritual zauber zaubern magie zauberspruch fluch sortilège malédiction hechizo magia
conjuro maldición
    cast fireball incantation scroll mana enchantment enchanted wizard witch rune potion summon conjure
    illusion ward arcane sorcery feuerball beschwört hexe sorcière bruja
= number duration

weapon armor armour arms waffe waffen rüstung rüstungen arme armure arma armadura
    sword axe bow dagger spear mace hammer staff wand shield helmet crossbow arrow lance halberd blade rifle
    pistol gun musket cannon chainmail breastplate gauntlets schwert axt bogen dolch speer schild helm épée
    hache arc dague bouclier casque espada hacha arco daga escudo casco scimitar sabre saber rapier club
    sling trident katana whip cutlass javelin catapult lanza pistolet
= number

item object equipment gear artefact artifact relic gegenstand gegenständen ausrüstung ausrüstungen artefakt
objet équipement relique objeto equipo reliquia artefacto
    sword axe bow dagger shield ring amulet potion scroll cloak boots helmet staff wand orb key lantern rope
    gem necklace crown chalice belt gloves robe torch trank schriftrolle umhang stiefel anneau parchemin cape
    anillo poción pergamino capa elixir compass lamp flask brooch bracelet idol skull banner horn flute
= name

loot drop treasure hoard beute schatz fundstück butin trésor botín tesoro
    chest gold coins gems jewels corpse carries yields hides pelts scales rare legendary truhe edelstein
    coffre pierreries cofre joyas
= number percent

quest mission task adventure aufgabe aufgaben auftrag abenteuer quête aventure misión aventura encargo
búsqueda
    retrieve rescue escort slay defeat collect deliver investigate recover objective reward gather kill seek
    besiegt rettet befreit sammelt vaincre sauver récupérer derrotar rescatar recuperar entregar
= name

reward experience xp loot belohnung belohnungen erfahrung erfahrungen récompense recompensa experiencia
    gold coins earns gains receive awarded exp reputation bounty erhält gewinnt reçoit gagne recibe gana
= number money

vendor merchant shop trader seller händler verkäufer laden marchand vendeur boutique vendedor mercader
comerciante
    sells buys trades stocks stall barter prices peddler verkauft kauft handelt vend achète compra
= money name

recipe crafting formula blueprint rezept rezeptur herstellung herstellungen recette fabrication receta
fabricación
    brew mix combine ingredients cook forge smelt alchemy gebraut mischen mélanger mezclar
= quantity number

potion elixir trank heiltrank breuvage poción
    heals restores mana vial flask bottle brewed antidote poison invisibility draught tonic philtre drink

ingredient reagent herb zutat zutaten kräuter hierba
    flour sugar salt butter milk eggs oil water yeast pepper garlic onion tomato cheese cream honey vinegar
    root petal mushroom berries spices mehl zucker salz milch eier hefe farine sucre sel beurre lait œufs
    harina azúcar sal mantequilla leche huevos
= quantity

level stage tier difficulty stufe rang schwierigkeit schwierigkeiten niveau difficulté palier nivel
dificultad
    lvl beginner novice intermediate expert elite advanced easy normal leicht schwer facile difficile difícil
= number

statistic attribute stat hitpoints werte statistique atributo estadística
    strength dexterity constitution intelligence wisdom charisma agility stamina hp mp armor damage health
    mana stärke geschick dextérité fuerza destreza
= number

damage harm schaden dégâts daño
    hit hurts wounds poison bleeding burn strikes inflicts verletzt inflige
= number

dungeon cave lair labyrinth verlies höhle kerker donjon grotte caverne mazmorra cueva guarida
    crypt tomb catacomb tunnel mine ruins trap trapdoor chamber entrance guarded vault gruft stollen piège
    tombeau cripta trampa tumba

game gameplay rule player spiel regel regeln spieler jeu règle joueur juego regla jugador
    cards board token turn round roll score wins pawn deck würfel karten zug runde cartes plateau dados
    cartas turno tablero
= number

prophecy omen vision prophezeiung prophezeiungen vorzeichen prophétie présage profecía presagio
    foretold prophesied oracle seer predicted foresaw dream chosen vorhergesagt orakel prédit predicho
"""

# --- Medicine -------------------------------------------------------------------------------------------

_MEDICINE = """
symptom complaint sign beschwerden anzeichen síntoma signo
    fever cough headache pain nausea vomiting rash dizziness fatigue swelling itching diarrhea diarrhoea
    bleeding shortness breath chills cramps weakness sore fieber husten schmerzen kopfschmerzen übelkeit
    schwindel fièvre toux douleur nausée vertige fiebre dolor mareo vertigo numbness tremor hoarseness
    palpitations sneezing sweating dizzy constipation insomnia blister jaundice wheezing

disease illness diagnosis condition disorder krankheit krankheiten diagnose erkrankung erkrankungen maladie
diagnostic trouble enfermedad diagnóstico trastorno
    diabetes cancer asthma influenza flu pneumonia infection hypertension stroke tumor tumour arthritis
    malaria measles tuberculosis hepatitis anemia migraine depression dementia fracture covid krebs grippe
    infarkt gripe infección rougeole varicelle masern windpocken scharlach lepra scurvy smallpox cholera
    typhoid leprosy rabies sarampión viruela eczema epilepsy

drug medication medicine prescription remedy medikament arzneimittel arzneimitteln wirkstoff medizin
médicament remède medicamento fármaco remedio
    tablet capsule pill syrup ointment injection vaccine antibiotic aspirin ibuprofen paracetamol insulin
    penicillin amoxicillin prescribed pharmacy metformin morphine tablette salbe tropfen impfstoff comprimé
    pommade gouttes pastilla pomada vacuna gotas
= quantity

dose dosage administration dosis dosierung dosierungen einnahme posologie dosificación
    mg ml mcg micrograms daily twice orally intravenous tablets drops injection spoonful täglich einnehmen
    comprimés tomar
= quantity duration

side adverse interaction contraindication nebenwirkung nebenwirkungen wechselwirkung wechselwirkungen
gegenanzeige indésirable effet secundario adverso interacción
    drowsiness nausea rash headache dizziness vomiting allergic anaphylaxis constipation diarrhea insomnia
    dry bleeding übelkeit ausschlag schwindel kopfschmerzen somnolence nausées vertiges somnolencia mareos

treatment therapy surgery procedure behandlung behandlungen therapie operation eingriff traitement chirurgie
tratamiento terapia cirugía operación
    chemotherapy radiation transplant physiotherapy rehabilitation bandage operated surgical antibiotics
    dialysis vaccinated hospitalised hospitalized discharged stitches behandelt operiert soigné opéré tratado
    operado

allergy intolerance allergen allergie unverträglichkeit unverträglichkeiten alergia intolerancia alérgeno
    allergic peanut gluten lactose nuts pollen shellfish penicillin eggs sesame nüsse erdnuss arachides noix
    cacahuete nueces

patient medical history hospital krankenhaus klinik anamnese hôpital hôpitaux clinique paciente clínica
    admitted discharged ward clinic ambulance emergency nurse surgeon physician smoker allergies aufgenommen
    entlassen admis ingresado

anatomy body organ körper anatomie corps anatomía cuerpo órgano
    heart lung liver kidney brain stomach skin bone muscle spine knee shoulder artery vein nerve skull herz
    leber niere knochen cœur poumon foie corazón pulmón hígado hueso

vital blood blutdruck puls blutwert labor tension sang pouls analyse sangre pulso presión
    pulse systolic diastolic heartbeat hemoglobin glucose cholesterol oxygen saturation bpm mmhg bmi
    creatinine leukocytes blutzucker glycémie glucosa
= quantity number

nutrition calorie diet nutrient nährwert ernährung kalorien diät régime nutrición dieta caloría
    kcal protein carbohydrate fat fibre fiber sugar vitamin sodium cholesterol saturated vegan vegetarian
    eiweiß fett ballaststoffe glucides lipides proteína grasa fibra
= quantity
"""

# --- Science --------------------------------------------------------------------------------------------

_SCIENCE = """
measurement reading observation data messung messungen messwert beobachtung beobachtungen mesure relevé
medición observación medida
    measured recorded observed sensor sampled calibrated average median instrument gemessen medido
= quantity number

result finding outcome conclusion ergebnis ergebnissen ergebnisse befund erkenntnis résultat resultado
hallazgo
    significant increased decreased correlation correlated confirmed revealed demonstrated concluded suggests
    compared signifikant gezeigt significatif montré significativo mostró
= percent number

experiment study trial research versuch studie studien forschung forschungen untersuchung untersuchungen
expérience étude recherche experimento estudio investigación ensayo
    participants sample placebo randomized randomised hypothesis cohort survey measured laboratory blinded
    probanden stichprobe échantillon muestra
= number

species animal animaux wildlife fauna tierart tierarten tiere espèce faune especie
    bird fish mammal insect reptile frog deer fox hare rabbit wolf bear eagle owl salmon trout whale dolphin
    butterfly beetle bee snake turtle horse cow sheep goat pig hen dog cat vogel fisch hirsch fuchs adler
    oiseau poisson cerf renard aigle pájaro pez ciervo zorro águila walrus seal otter badger igel squirrel
    hedgehog mouse rat bat lynx boar goose duck swan heron stork crow raven pike carp eel shark crab lobster
    spider ant lizard elephant lion tiger monkey camel

plant tree flower flora vegetation pflanze pflanzen baum blume blumen arbre fleur planta árbol flor
vegetación
    oak beech pine birch spruce maple willow ash rose tulip orchid fern moss grass shrub herb seed leaf
    blossom fungus eiche kiefer birke chêne hêtre pin bouleau roble pino abedul chestnut walnut hazelnut
    nettle dandelion clover thistle ivy poppy daisy lily sunflower lavender cactus reed alder elm cedar
    cypress fir hazel juniper

bird vogel oiseau oiseaux ave pájaro
    lark sparrow robin blackbird thrush finch swallow eagle hawk falcon owl heron stork crane goose duck swan
    gull crow raven magpie pigeon dove woodpecker cuckoo kingfisher penguin parrot hen rooster adler eule
    amsel taube aigle hibou águila

fish fisch poisson pez pescado
    salmon trout pike perch carp eel cod tuna mackerel haddock sturgeon shark sardine anchovy plaice halibut
    lachs forelle hecht saumon truite thon trucha atún bacalao

chemical substance element compound stoff chemikalie verbindung verbindungen composé sustancia elemento
compuesto
    oxygen hydrogen nitrogen carbon sodium chlorine sulfur sulphur acid mercury zinc ammonia ethanol methane
    solvent molecule sauerstoff wasserstoff stickstoff säure azote oxígeno hidrógeno ácido

mineral rock ore metal geology gestein erz roche minerai roca
    iron copper gold silver tin coal granite limestone basalt quartz marble slate sandstone clay gravel salt
    mine mined quarry eisen kupfer kohle kalkstein fer cuivre charbon calcaire hierro cobre carbón caliza
    cobalt titanium nickel lithium platinum aluminium bauxite gypsum chalk flint obsidian diamond ruby
    emerald sapphire uranium

planet star astronomy space weltraum stern astronomie étoile espace estrella planeta astronomía espacio
    moon sun venus jupiter saturn orbit comet asteroid galaxy nebula eclipse telescope satellite rocket
    astronaut nasa sonne lune soleil luna sol
= quantity

unit scale einheit einheiten maßstab échelle unidad escala
    metre meter gram kelvin ampere mole joule watt hertz pascal volt inch pound litre celsius

formula equation theorem formel formeln gleichung gleichungen satz ecuación teorema
    equals proportional constant derivative integral proof lemma axiom sum squared coefficient

number count quantity amount figure total zahl zahlen anzahl menge mengen nombre quantité número cantidad
cifra
    dozen hundred thousand million billion twelve twenty thirty forty fifty sixty dutzend hundert tausend
    millionen cent mille douzaine cien mil docena
= number quantity

percentage share proportion ratio anteil prozent verhältnis pourcentage porcentaje proporción cuota
    percent pct half quarter majority minority fraction hälfte drittel moitié tiers mitad tercio
= percent

growth increase decrease trend change wachstum anstieg rückgang croissance hausse baisse crecimiento aumento
descenso
    grew rose declined dropped doubled tripled halved surged soared plunged gained lost stieg sank verdoppelt
    augmenté diminué creció cayó duplicó
= percent number

statistics average mean survey statistik durchschnitt umfrage statistique moyenne sondage estadística
promedio encuesta
    median respondents sample percent deviation variance befragte interrogés encuestados quartile percentile
    correlation significance histogram outlier polled
= number percent

climate environment pollution klima umwelt verschmutzung verschmutzungen environnement clima medio
contaminación
    warming emissions carbon greenhouse co2 ozone recycling biodiversity renewable drought glacier footprint
    emissionen emisiones
= quantity percent

weather forecast wetter vorhersage wettervorhersage météo prévision pronóstico
    rain rainy sunny cloudy clouds snow snowfall wind windy storm fog hail thunderstorm showers humid
    humidity frost drizzle gusts regen schnee bewölkt nebel gewitter pluie neige nuageux orage brouillard
    lluvia nieve nublado niebla
= quantity

energy fuel electricity resource brennstoff kraftstoff énergie carburant combustible energía
    coal gas petrol diesel nuclear solar wind hydroelectric biomass uranium hydrogen turbine reactor kohle
    erdöl charbon carbón petróleo
= quantity

agriculture farming crop harvest landwirtschaft landwirtschaften ernte anbau récolte culture agricultura
cosecha cultivo
    wheat barley rye oats corn maize potatoes rice grapes vineyard cattle sheep livestock orchard plough
    field irrigation fertilizer weizen gerste kartoffeln blé orge vigne trigo cebada viña
= quantity
"""

# --- Law ------------------------------------------------------------------------------------------------

_LAW = """
law regulation statute rule legislation ordinance gesetz verordnung verordnungen vorschrift regel regeln
satzung satzungen loi règlement règle réglementation ley reglamento norma regla
    act article section paragraph subsection pursuant decree directive bylaw provision statutory prohibited
    permitted enacted absatz artikel gemäß paragraf alinéa décret conformément artículo apartado decreto
= code

obligation duty responsibility pflicht pflichten verpflichtung verpflichtungen devoir obligación deber
    shall required obliged obligated undertakes ensure comply responsible mandatory bound muss verpflichtet
    sicherstellen doit tenu debe obligado

right entitlement claim rechte anspruch droits derecho
    entitled permitted reserves exercise waive refuse revoke berechtigt titulaire autorisé facultado

prohibition ban forbidden restriction verbot einschränkung einschränkungen interdiction prohibición
restricción
    prohibited disallowed unlawful illegal untersagt verboten unzulässig interdit défendu prohibido

clause article section paragraph provision klausel klauseln absatz abschnitt bestimmung bestimmungen alinéa
disposition cláusula artículo apartado disposición
    hereby herein hereunder notwithstanding subsection indemnify severability warranties jurisdiction
    pursuant
= code

contract party term agreement vertrag laufzeit vertragspartei contrat durée contrato vigencia
    lessor lessee licensor licensee seller buyer purchaser employer employee undersigned renews terminates
    effective mieter vermieter auftraggeber auftragnehmer bailleur locataire arrendador arrendatario
= date duration money

liability indemnity haftung haftungen schadenersatz responsabilité indemnité responsabilidad indemnización
    liable negligence damages indemnify harmless consequential haftet fahrlässigkeit vorsatz negligencia
= money

lawsuit case court trial verdict klage klagen prozess gericht urteil procès tribunal tribunaux jugement
demanda juicio sentencia
    plaintiff defendant judge jury appeal sued convicted acquitted sentenced guilty witness testimony
    prosecutor ruled kläger beklagter berufung zeuge plaignant accusé juge témoin demandante acusado juez
    testigo
= date code

exception exemption exclusion ausnahme ausnahmen befreiung befreiungen ausschluss excepción exención
    unless except excluding exempt notwithstanding ausgenommen sofern sauf hormis salvo excepto

privacy protection datenschutz confidentialité privacidad protección
    gdpr dsgvo rgpd consent controller processor anonymized anonymised cookies retention erasure confidential
    einwilligung verarbeitung consentement consentimiento

patent trademark intellectual property brevet
    invented filed infringement registered royalty inventor angemeldet déposé registrada copyrighted claims
    expires assignee uspto
= code

confidentiality secrecy nda geheimhaltung vertraulichkeit confidentialité confidencialidad
    disclose disclosure confidential secret nondisclosure vertraulich confidentiel confidencial classified
    undisclosed proprietary leaked embargoed trade redacted privileged

notice announcement notification bekanntmachung bekanntmachungen mitteilung mitteilungen avis annonce aviso
anuncio
    announced informed notified published hereby angekündigt anunciado circular bulletin proclaimed declared
    memo newsletter press

document certificate form record dokument unterlagen urkunde formular formulaire dossier documento formulario
certificado
    passport licence permit visa attestation affidavit deed archive manuscript letter charter application
    report reisepass ausweis antrag passeport pasaporte

complaint appeal objection beschwerde einspruch widerspruch réclamation recours opposition queja recurso
reclamación
    complained contested protested disputed widersprochen recurrido grievance ombudsman dissatisfied rejects
    escalated lodged refund

evidence proof beweis nachweis preuve prueba evidencia
    witness fingerprint confession testimony exhibit dna alibi footprint proven zeuge geständnis témoin aveu
    testigo confesión
"""

# --- Travel and transport -------------------------------------------------------------------------------

_TRAVEL_AND_TRANSPORT = """
transport transit mobility verkehr verkehrsmittel
    train bus tram metro subway ferry taxi bicycle coach shuttle ticket fare zug straßenbahn fähre autobus
    tranvía tren

train railway rail station zug züge bahn bahnhof gare chemin tren ferrocarril estación
    departs departure arrives arrival platform track carriage express intercity locomotive timetable
    conductor abfahrt ankunft gleis arrivée quai voie salida llegada andén vía
= time code

flight airline airport plane aircraft flug flughafen flugzeug vol aéroport avion vuelo aeropuerto
    departs departure arrival gate boarding terminal runway takeoff luggage baggage layover stopover airways
    abflug gepäck décollage bagages equipaje despegue
= code time

bus tram metro stop haltestelle buslinie arrêt ligne parada línea
    terminus route depot fare interchange endstation correspondance trasbordo trolley tramway station
    platform departs coach minibus nightbus
= time code number

ticket fare reservation booking fahrkarte buchung buchungen reservierung reservierungen billet reserva
entrada
    reserved seat passenger refundable concession gebucht sitzplatz siège reservado asiento
= money code

distance range entfernung entfernungen reichweite portée distancia alcance
    km kilometre kilometer mile metres league entfernt lejos yards furlong nautical lightyears walk drive
    radius
= quantity

luggage baggage packing gepäck bagage equipaje
    suitcase backpack bag carryon trolley kg koffer rucksack valise maleta mochila
= quantity

parking car parkplatz parken stationnement aparcamiento estacionamiento
    garage spaces underground meter tiefgarage spots permit valet attendant towing disabled barrier
    multistorey
= money number

visa passport entry immigration einreise visum reisepass entrée visado pasaporte entrada
    embassy consulate customs border permit botschaft konsulat ambassade embajada immigrant residency
    consular tourist biometric
= duration

closure roadworks detour sperrung sperrungen baustelle umleitung umleitungen fermeture travaux travail cierre
obras
    closed blocked diverted construction resurfacing repairs gesperrt fermé cortado barricaded impassable
    excavation shutdown roadblock shut
= date
"""

# --- Sport ----------------------------------------------------------------------------------------------

_SPORT = """
score result standing spielstand ergebnis ergebnissen tabelle résultat classement marcador resultado
clasificación
    won lost beat beaten defeated drew draw victory goal win tied gewann verlor sieg unentschieden tor tore
    gagné perdu victoire nul ganó perdió gol empate
= number

player athlete team squad coach spieler sportler mannschaft mannschaften trainer joueur équipe entraîneur
jugador atleta equipo entrenador
    striker goalkeeper midfielder defender captain scored substitute quarterback pitcher batsman signed
    transfer stürmer torwart gardien attaquant portero delantero
= person name

match competition tournament race championship league game spiel wettkampf turnier rennen meisterschaft
meisterschaften tournoi course championnat partido competición torneo carrera campeonato
    semifinal quarterfinal cup kickoff halftime marathon sprint olympics medal qualified qualifying round
    fixture stadium pokal halbfinale demi copa
= date

record best achievement rekord bestleistung bestleistungen performance marca logro
    fastest highest longest largest oldest tallest youngest deepest heaviest broke champion schnellste
    höchste längste größte mayor
= number quantity

winner champion medalist sieger siegern gewinner meister vainqueur gagnant ganador campeón vencedor
    won wins silver bronze trophy title crowned medal triumph gewann siegte gagné remporté ganó
= person name

sport discipline sportart deporte disciplina
    football soccer basketball tennis golf cricket rugby hockey swimming cycling skiing athletics boxing judo
    volleyball handball rowing sailing fußball schwimmen natation cyclisme fútbol natación ciclismo fencing
    archery wrestling gymnastics surfing badminton squash climbing karate triathlon biathlon curling

training exercise workout übung übungen entraînement exercice entrenamiento ejercicio
    repetitions squats pushups stretching warmup jogging lifting cardio wiederholungen repeticiones
= number duration
"""

# --- Food -----------------------------------------------------------------------------------------------

_FOOD = """
instrument musikinstrument instrumento
    piano violin viola cello guitar flute oboe clarinet trumpet trombone tuba horn harp drum organ lute
    harpsichord accordion saxophone banjo klavier geige flöte violon clavier orgue guitarra

food dish meal cuisine menu speise speisen gericht essen speisekarte plat repas nourriture plato comida
cocina
    soup stew bread cheese roast pie cake salad pasta pizza rice sausage fish chicken beef pork dessert
    breakfast lunch dinner sandwich pudding suppe brot braten kuchen wurst pain rôti gâteau sopa pan asado
    pastel

drink beverage getränk getränken boisson bebida
    wine beer ale mead cider whisky whiskey brandy coffee tea juice milk water lemonade cocktail rum vodka
    wein bier kaffee tee saft vin café jus vino cerveza zumo

fruit vegetable obst gemüse légume fruta verdura
    apple pear plum cherry grape orange lemon banana strawberry carrot potato cabbage onion tomato bean pea
    lettuce cucumber apfel birne kirsche kartoffel pomme poire cerise carotte manzana pera cereza zanahoria
    eggplant aubergine zucchini mango pineapple peach apricot raspberry blueberry melon kiwi fig spinach
    broccoli leek pumpkin radish beetroot celery asparagus

cooking preparation baking kochen zubereitung zubereitungen backen cuisson cocción preparación elaboración
    boil simmer fry bake roast stir chop slice knead whisk preheat oven grill marinate peel mix heat rühren
    backofen schneiden mélanger couper cortar mezclar horno
= duration quantity

serving portion portionen ergibt ración porción
    slices guests feeds pieces plates bowls cups scoops loaf loaves
= number

taste flavor flavour geschmack aroma goût saveur sabor gusto
    sweet sour bitter salty spicy umami smoky fruity tart süß sauer salzig sucré salé amer dulce salado
    amargo
"""

# --- Culture --------------------------------------------------------------------------------------------

_CULTURE = """
book novel literature publication work buch bücher roman werk livre œuvre littérature libro novela obra
literatura
    published author chapter volume poem poetry essay anthology bestseller publisher paperback trilogy
    manuscript gedicht band verlag tome éditeur poema tomo editorial
= name date

film movie series television cinema kino serie fernsehen película cine
    directed director starring screenplay episode sequel trailer documentary cast actor regie schauspieler
    folge réalisateur episodio temporada
= name date

music song album lied lieder musik musique chanson morceau música canción disco
    band singer guitar piano violin drums melody lyrics symphony concerto opera orchestra choir hymn ballad
    chorus jazz rock sang sung gitarre klavier orchester chœur guitarra coro
= name

art painting sculpture artwork kunst gemälde kunstwerk skulptur peinture tableau arte pintura cuadro
escultura
    painter portrait fresco mural canvas statue engraving exhibited museum gallery watercolour drawing mosaic
    carved gemalt ausgestellt peint exposé pintado
= name date

tradition traditionen custom culture ritual brauch sitte sitten kultur coutume rite costumbre tradición
cultura rito
    festival dance costume ceremony ancestral feast superstition procession tanz tracht danse danza baile

language dialect translation sprache sprachen mundart übersetzung übersetzungen langue traduction idioma
lengua dialecto traducción
    english german french spanish italian latin greek russian chinese japanese arabic portuguese speaks
    spoken translated fluent native englisch deutsch französisch spanisch anglais allemand inglés alemán
    francés español swahili hindi turkish dutch swedish polish hebrew welsh gaelic korean persian bengali

quote quotation statement saying zitat aussage aussagen spruch citation déclaration parole cita declaración
frase dicho
    said told declared remarked according announced sagte erklärte laut zufolge selon dijo afirmó
= person

opinion view criticism review rating meinung meinungen kritik bewertung bewertungen ansicht avis critique
crítica valoración
    argued criticised criticized praised recommended stars favourite disappointing excellent terrible meint
    glaubt pense croit estime piensa cree
= number

definition term meaning glossary abbreviation acronym abkürzung abkürzungen sigle abréviation sigla begriff
bedeutung bedeutungen signification definición término significado
    defined refers denotes bedeutet bezeichnet signifie significa synonym etymology glossed nomenclature
= term

category type kind group kategorie gattung gattungen sorte catégorie genre categoría género tipo
    classified divided subdivided belongs consists comprises eingeteilt gehört divise clasifica

symbol emblem flag arms wappen zeichen fahne drapeau blason símbolo emblema bandera escudo
    crest banner coat shield sigil heraldic seal logo insignia siegel bannière estandarte

furniture furnishing möbel einrichtung einrichtungen meuble mobilier mueble
    chair table desk bed sofa couch wardrobe cupboard shelf bookcase drawer bench stool armchair dresser
    mattress lamp stuhl tisch schrank regal chaise armoire étagère silla mesa armario

clothing garment dress fashion kleidung kleidungen tracht vêtement ropa vestido moda
    shirt trousers jacket coat shoes boots cloak robe skirt gloves scarf uniform wore wears hemd hose mantel
    schuhe chemise manteau chaussures camisa abrigo zapatos

appearance look description aussehen beschreibung beschreibungen apparence aspecto apariencia descripción
    hair eyes beard scar slim wears tattoo pale haare augen bart narbe cheveux yeux barbe cicatrice pelo ojos
    barba cicatriz

personality trait character behaviour behavior charakter eigenschaft eigenschaften verhalten caractère
comportement comportamiento
    cruel honest greedy brave shy stubborn generous loyal friendly arrogant curious lazy jealous freundlich
    mutig geizig gentil avare courageux amable valiente avaro

website site homepage link webseite internetseite seite página sitio web
    http www domain url portal blog webpage forum wiki browser hyperlink
= url

email mail mailadresse courriel messagerie correo
    inbox mailto sender recipient mailbox gmail outlook newsletter smtp attachment cc
= email

phone telephone telefon telefonnummer handy mobil portable teléfono móvil
    hotline fax dial extension cellphone landline voicemail callback switchboard dialled sms ringing
= phone

identifier id number code key kennung kennungen nummer kennzeichen identifiant numéro référence identificador
referencia
    uuid serial barcode isbn iban sku ref aktenzeichen seriennummer guid hash checksum badge registration
    plate ssn customer
= code

media press newspaper magazine medien zeitung zeitungen journal journaux medios prensa periódico
    reported reporter journalist interview headline article broadcast radio television podcast berichtete
    artikel

course lesson exam fach kurs unterricht prüfung prüfungen matière cours examen asignatura curso
    mathematics physics chemistry biology history geography lecture syllabus credits homework grade passed
    enrolled mathematik physik mathématiques matemáticas
= date number

grade assessment note noten zensur bewertung bewertungen notation nota calificación evaluación
    passed excellent distinction gpa percentage bestanden mention aprobado suspenso honours merit marked
    examiner resit transcript score
= number percent

application admission registration enrolment bewerbung bewerbungen anmeldung anmeldungen zulassung
zulassungen candidature inscription solicitud inscripción admisión
    apply applicants applied register enrol enroll submit eligible cv resume bewerben postuler solicitar
= date

qualification skill experience competence qualifikation kenntnisse erfahrung erfahrungen cualificación
experiencia conocimientos
    degree diploma certified fluent proficient bachelor master trained knowledge abschluss diplôme maîtrise
    titulado dominio
= duration

construction renovation repair restoration bau umbau renovierung renovierungen sanierung sanierungen travaux
travail construcción reforma restauración
    built rebuilt renovated restored demolished extended architect completed scaffold foundations gebaut
    renoviert saniert abgerissen construit rénové démoli construido renovado demolido
= date money

infrastructure utility versorgung versorgungen infrastruktur infraestructura suministro
    road bridge sewer pipeline canal railway cable fibre broadband electricity water grid dam leitung
    kanalisation

noise sound volume lärm geräusch lautstärke bruit ruido sonido
    decibel db loud quiet silent laut leise silencieux buzzing humming acoustic rattle squeak whistling
    soundproof

facility amenity ausstattung ausstattungen einrichtung einrichtungen équipement prestation instalación
    pool sauna gym wifi parking playground garden kitchen lift elevator toilets shower wheelchair laundry
    schwimmbad aufzug spielplatz piscine ascenseur piscina ascensor

accessibility disability barrier barrierefreiheit behinderung behinderungen accessibilité handicap
accesibilidad discapacidad
    wheelchair ramp lift elevator braille screenreader captions barrierefrei rollstuhl fauteuil silla rampa

subscription plan membership abonnement mitgliedschaft mitgliedschaften abo adhésion forfait suscripción
membresía abono
    monthly yearly annual trial premium basic renew cancel tier upgrade monatlich kündbar mensuel mensual
= money duration

comparison difference alternative vergleich unterschied unterschiede comparaison comparación diferencia
alternativa
    whereas unlike versus compared analogous comparable outperforms contrast dagegen hingegen contrairement

dependence relationship zusammenhang verbindung verbindungen lien rapport vínculo relación
    linked connected related depends influences correlates associated verbunden lié vinculado differs similar
    identical likewise faster slower cheaper larger smaller

priority importance urgency priorität prioritäten dringlichkeit wichtigkeit priorité urgence prioridad
importancia urgencia
    urgent critical p0 p1 p2 immediately asap blocker dringend wichtig sofort élevé

quality qualität qualitäten qualité calidad
    excellent damaged mint flawless worn scratched tested inspected mangelhaft mauvais malo
"""

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

# --- Reading the tables -----------------------------------------------------------------------------------

_TABLES = (
    _QUESTIONS,
    _PEOPLE,
    _GROUPS,
    _PLACES,
    _EVENTS,
    _DATES_AND_TIMES,
    _MONEY,
    _DECISIONS_AND_WORK,
    _ORDERS_AND_TRADE,
    _PRODUCTS_AND_MACHINES,
    _SOFTWARE,
    _OPERATIONS,
    _GAMES_AND_FANTASY,
    _MEDICINE,
    _SCIENCE,
    _LAW,
    _TRAVEL_AND_TRANSPORT,
    _SPORT,
    _FOOD,
    _CULTURE,
    _STATES_OF_BUSINESS,
    _STATES_OF_THINGS,
    _STATES_OF_SYSTEMS,
    _STATES_OF_WORK,
    _STATES_OF_PEOPLE_AND_RIGHTS,
    _CHANGES,
)


@cache
def kinds() -> tuple[Kind, ...]:
    """Return every kind. The tables are constant, and reading them takes about 15 ms: once is enough."""
    return tuple(_kind(entry) for table in _TABLES for entry in table.strip().split("\n\n"))


def by_asked(known: Iterable[Kind]) -> dict[str, list[Kind]]:
    """Return for each stem that a brief may ask with the kinds that it can mean, in the order of the tables."""
    meant: defaultdict[str, list[Kind]] = defaultdict(list)
    for kind in known:
        for stem in kind.asked:
            meant[stem].append(kind)
    return dict(meant)


def _kind(entry: str) -> Kind:
    asked: set[str] = set()
    told: set[str] = set()
    values: set[str] = set()
    for line in entry.splitlines():
        if line.startswith("="):
            values.update(line[1:].split())
        else:
            (told if line.startswith(" ") else asked).update(map(stem_of, line.split()))
    return Kind(frozenset(asked), frozenset(told), frozenset(values))
