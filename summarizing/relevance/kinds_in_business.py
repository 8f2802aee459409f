"""Money, decisions, orders, products: what offices, shops and workshops write of. Tables, to be read as summarizing/relevance/kinds.py says; refuses everything but words."""

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
    because owing triggered weil wegen aufgrund verursacht provoqué porque debido provocado

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

TABLES = (
    _MONEY,
    _DECISIONS_AND_WORK,
    _ORDERS_AND_TRADE,
    _PRODUCTS_AND_MACHINES,
)
